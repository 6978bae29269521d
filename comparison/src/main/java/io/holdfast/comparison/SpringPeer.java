package io.holdfast.comparison;

import java.net.URI;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry, with a scheduler so that it renews. */
final class SpringPeer implements Peer {
    private final LettuceConnectionFactory connections;
    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final RedisLockRegistry registry;

    SpringPeer(String store, Duration lease, RedisLockType type) {
        connections = connections(store);
        renewals.setDaemon(true);
        renewals.initialize();
        registry = new RedisLockRegistry(connections, "comparison", lease);
        registry.setRedisLockType(type);
        registry.setRenewalTaskScheduler(renewals);
    }

    /** What Spring Data uses unless told otherwise: one connection that all threads share. */
    static LettuceConnectionFactory connections(String store) {
        URI address = URI.create(store);
        LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        if (store.startsWith("rediss:")) {
            client.useSsl();
        }
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(address.getHost(), address.getPort()), client.build());
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    @Override
    public Section mutex(String name) {
        return new LockSection(registry.obtain(name));
    }

    @Override
    public void close() {
        registry.destroy();
        renewals.shutdown();
        connections.destroy();
    }
}
