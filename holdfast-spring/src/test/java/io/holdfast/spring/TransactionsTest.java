package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.fence.JdbcFence;
import io.holdfast.fence.StaleTokenException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** When a lock is given back, refused or asked, where there are transactions of a thread. */
class TransactionsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class Database {
        @Bean
        DataSource dataSource() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=500");
            return source;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("CREATE TABLE t (v INT)");
            return jdbc;
        }

        @Bean
        TransactionTemplate transactions(PlatformTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    static class Shop {
        private final JdbcTemplate jdbc;
        private final TransactionTemplate transactions;
        private final ApplicationEventPublisher events;
        private final List<String> heard = new ArrayList<>();
        private Supplier<Boolean> free = () -> null;

        Shop(JdbcTemplate jdbc, TransactionTemplate transactions, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.transactions = transactions;
            this.events = events;
        }

        void ask(Supplier<Boolean> question) {
            free = question;
        }

        List<String> heard() {
            return heard;
        }

        @Locked("a")
        @Transactional
        public void write(Runnable more) {
            insert();
            more.run();
        }

        @Locked("a")
        public void plain(Runnable more) {
            insert();
            more.run();
        }

        @Locked("a")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void writeAlone(Runnable more) {
            insert();
            more.run();
        }

        @Locked(value = "a", release = Locked.Release.AT_RETURN)
        public void atReturn() {
            insert();
        }

        @Locked(value = "a", joining = Joining.HOLD)
        public void holding() {
            insert();
        }

        @Locked(value = "a", joining = Joining.REFUSE)
        public void refusing() {
            insert();
        }

        @Locked("a")
        public void template(Runnable before, Runnable inside) {
            before.run();
            transactions.executeWithoutResult(status -> {
                insert();
                inside.run();
            });
        }

        @Locked(value = "a", fenced = true)
        @Transactional
        public void fenced(Runnable more) {
            insert();
            more.run();
        }

        @Locked(value = "a", fenced = true)
        public void fencedWithoutTransaction() {
            insert();
        }

        private void insert() {
            jdbc.update("INSERT INTO t VALUES (1)");
            events.publishEvent("written");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        public void committed(String event) {
            heard.add("committed, free: " + free.get());
        }
    }

    static class Inside {
        @Bean
        LockedSettings settings() {
            return LockedSettings.defaults().order(Integer.MAX_VALUE);
        }
    }

    static class Futures {
        private final JdbcTemplate jdbc;

        Futures(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Locked("a")
        @Transactional
        public CompletableFuture<Integer> ship() {
            return CompletableFuture.completedFuture(jdbc.update("INSERT INTO t VALUES (1)"));
        }
    }

    private TestLocks locks;
    private Shop shop;
    private JdbcTemplate jdbc;
    private TransactionTemplate transactions;

    @BeforeEach
    void start() {
        start(Database.class, Shop.class);
    }

    private void start(Class<?>... classes) {
        locks = new TestLocks(classes);
        shop = locks.bean(Shop.class);
        shop.ask(() -> locks.isFree("a"));
        jdbc = locks.bean(JdbcTemplate.class);
        transactions = locks.bean(TransactionTemplate.class);
    }

    @AfterEach
    void stop() {
        locks.close();
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
        assertThat(ThreadLocks.current().holdings()).isEmpty();
    }

    private int rows() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM t", Integer.class);
    }

    private boolean loseAndKnow() {
        Lease lease = CurrentLocks.lease("a");
        locks.lose("a");
        await().until(() -> !lease.isValid());
        return true;
    }

    @Test
    void beginsInside_releasedAfterItAndItsListeners() {
        shop.write(() -> {});

        assertThat(shop.heard()).containsExactly("committed, free: false");
        assertThat(locks.isFree("a")).isTrue();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void wasThereBefore_keptUntilItHasEnded_afterItsListeners() {
        transactions.executeWithoutResult(status -> {
            shop.plain(() -> {});
            assertThat(locks.isFree("a")).isFalse();
            shop.plain(() -> assertThat(CurrentLocks.token()).isPositive());
        });

        assertThat(shop.heard()).containsExactly("committed, free: false", "committed, free: false");
        assertThat(locks.isFree("a")).isTrue();
    }

    @Test
    void wasThereBefore_rolledBack_keptUntilThen() {
        transactions.executeWithoutResult(status -> {
            shop.plain(() -> {});
            status.setRollbackOnly();
            assertThat(locks.isFree("a")).isFalse();
        });

        assertThat(locks.isFree("a")).isTrue();
        assertThat(rows()).isZero();
    }

    @Test
    void requiresNewInside_releasedWhenItReturns() {
        transactions.executeWithoutResult(status -> {
            shop.writeAlone(() -> assertThat(locks.isFree("a")).isFalse());
            assertThat(locks.isFree("a")).isTrue();
            assertThat(rows()).isEqualTo(1);
        });
    }

    @Test
    void requiresNewAround_keptUntilThatHasEnded() {
        locks.close();
        start(Inside.class, Database.class, Shop.class);

        transactions.executeWithoutResult(status -> {
            shop.writeAlone(() -> {});
            assertThat(shop.heard()).containsExactly("committed, free: false");
            assertThat(locks.isFree("a")).isTrue();
        });
    }

    @Test
    void future_lockInsideItsTransaction_failsTheStart() {
        assertThat(TestLocks.refused(Inside.class, Database.class, Futures.class))
                .message()
                .contains("Futures.ship", "outside of the transaction", "holdfast.locked.order");
        try (TestLocks outside = new TestLocks(Database.class, Futures.class)) {
            assertThat(outside.bean(Futures.class).ship().join()).isEqualTo(1);
            await().until(() -> outside.isFree("a"));
        }
    }

    @Test
    void atReturn_givesBackBeforeTheCommit() {
        transactions.executeWithoutResult(status -> {
            shop.atReturn();
            assertThat(locks.isFree("a")).isTrue();
        });
    }

    @Test
    void repeatableRead_refusedBeforeAnything() {
        for (int level : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
            transactions.setIsolationLevel(level);
            transactions.executeWithoutResult(status -> {
                assertThatThrownBy(() -> shop.plain(() -> {}))
                        .isInstanceOf(LockedTooLateException.class)
                        .hasMessageContaining("REQUIRES_NEW");
                assertThat(locks.isFree("a")).isTrue();
                shop.holding();
                assertThat(locks.isFree("a")).isFalse();
            });
        }
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void repeatableRead_ofTheConnectionItself_refused() {
        transactions.executeWithoutResult(status -> {
            jdbc.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            assertThatThrownBy(() -> shop.plain(() -> {})).isInstanceOf(LockedTooLateException.class);
        });
        assertThat(locks.isFree("a")).isTrue();
    }

    @Test
    void refuse_joinsNone() {
        transactions.executeWithoutResult(
                status -> assertThatThrownBy(() -> shop.refusing()).isInstanceOf(LockedTooLateException.class));
        shop.refusing();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void lost_doesNotCommit() {
        assertThatThrownBy(() -> shop.write(this::loseAndKnow)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    try {
                        shop.plain(this::loseAndKnow);
                    } catch (LockLostException swallowed) {
                        assertThat(swallowed.lockName()).isEqualTo("a");
                    }
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(rows()).isZero();
        assertThat(shop.heard()).isEmpty();
    }

    @Test
    void lost_templateInside_doesNotCommit() {
        assertThatThrownBy(() -> shop.template(() -> {}, this::loseAndKnow)).isInstanceOf(LockLostException.class);
        assertThat(rows()).isZero();
        assertThat(shop.heard()).isEmpty();
    }

    @Test
    void lostBeforeItBegins_leavesNoTransactionOpen() {
        assertThatThrownBy(() -> shop.template(this::loseAndKnow, () -> {})).isInstanceOf(LockLostException.class);

        assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(rows()).isZero();
        assertThat(shop.heard()).isEmpty();
    }

    @Test
    void fenced_entersOnTheTransactionsConnection() throws Exception {
        JdbcFence fence = JdbcFence.create();
        try (Connection connection = locks.bean(DataSource.class).getConnection()) {
            fence.createTable(connection);
            shop.fenced(() -> {});
            assertThat(fence.current(connection, "a")).isPresent();
        }
        try (Connection connection = locks.bean(DataSource.class).getConnection()) {
            connection.setAutoCommit(false);
            fence.enter(connection, "a", Long.MAX_VALUE, "somebody");
            connection.commit();
        }
        assertThatThrownBy(() -> shop.fenced(() -> {})).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> shop.fencedWithoutTransaction())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Transactional");
        assertThat(rows()).isEqualTo(1);
    }
}
