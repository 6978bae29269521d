package io.holdfast.comparison;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry in a database, with a scheduler so that it renews. */
final class SpringJdbcPeer implements Peer {
    private static final int CONNECTIONS = 20;

    private final HikariDataSource pool;
    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringJdbcPeer(String store, Duration lease) throws Exception {
        pool = pool(store);
        renewals.setDaemon(true);
        renewals.initialize();
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, lease);
        registry.setRenewalTaskScheduler(renewals);
    }

    /** As many as sixteen threads want, and a few more. */
    static HikariDataSource pool(String store) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(store);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    @Override
    public Section mutex(String name) {
        return new LockSection(registry.obtain(name));
    }

    @Override
    public void close() {
        renewals.shutdown();
        repository.stop();
        pool.close();
    }
}
