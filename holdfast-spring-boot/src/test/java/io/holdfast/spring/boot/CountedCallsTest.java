package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockStatus;
import io.holdfast.fence.JdbcFence;
import io.holdfast.fence.StaleTokenException;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.spring.CurrentLocks;
import io.holdfast.spring.LockOperations;
import io.holdfast.spring.Locked;
import io.holdfast.spring.LockedTooLateException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What is counted of calls that were refused, which no client knows of. */
class CountedCallsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Boot.dataSource())
            .withConfiguration(Boot.holdfast())
            .withUserConfiguration(Transactions.class)
            .withPropertyValues("holdfast.store=jdbc", "holdfast.jdbc.create-tables=true")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions {

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource, Meanwhile meanwhile) {
            DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
            manager.addListener(meanwhile);
            return manager;
        }

        @Bean
        Meanwhile meanwhile() {
            return new Meanwhile();
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    /** What happens between the end of the transaction and that of the lock. */
    static class Meanwhile implements TransactionExecutionListener {
        private volatile Runnable work = () -> {};

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            work.run();
        }
    }

    static class Shop {

        @Locked(value = "order:{p0}", fenced = true)
        @Transactional
        public String ship(String id) {
            return "shipped " + id;
        }
    }

    private static double count(AssertableApplicationContext context, String meter, String group) {
        return context.getBean(MeterRegistry.class)
                .get(meter)
                .tags("lock", group, "kind", "lock")
                .counter()
                .count();
    }

    @Test
    void tooLate_isCounted() {
        runner.run(context -> {
            TransactionTemplate stale = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            stale.setIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
            stale.executeWithoutResult(status -> assertThatThrownBy(
                            () -> context.getBean(LockOperations.class).run("stock:1", () -> {}))
                    .isInstanceOf(LockedTooLateException.class));
            assertThat(count(context, "holdfast.locked.late", "stock")).isOne();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Others {
        @Bean
        @Primary
        LockClient one() {
            return MemoryLocks.create();
        }

        @Bean
        LockClient two() {
            return MemoryLocks.create();
        }
    }

    @Test
    void tooLate_isCountedForTheClientThatWasAsked() {
        runner.withUserConfiguration(Others.class).run(context -> {
            TransactionTemplate stale = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            stale.setIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
            stale.executeWithoutResult(status -> assertThatThrownBy(() ->
                            context.getBean(LockOperations.class).client("two").run("stock:1", () -> {}))
                    .isInstanceOf(LockedTooLateException.class));
            assertThat(context.getBean(MeterRegistry.class)
                            .find("holdfast.locked.late")
                            .counters())
                    .singleElement()
                    .satisfies(counter ->
                            assertThat(counter.getId().getTag("client")).isEqualTo("two"));
        });
    }

    @Test
    void refusedByTheFence_isCounted() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);
            assertThat(shop.ship("1")).isEqualTo("shipped 1");
            somebodyEnters(context);
            assertThatThrownBy(() -> shop.ship("1")).isInstanceOf(StaleTokenException.class);
            assertThat(count(context, "holdfast.fence.refused", "order:{p0}")).isOne();
        });
    }

    private static void somebodyEnters(AssertableApplicationContext context) {
        try (Connection connection = context.getBean(DataSource.class).getConnection()) {
            connection.setAutoCommit(false);
            JdbcFence.create().enter(connection, "order:1", Long.MAX_VALUE, "somebody");
            connection.commit();
        } catch (SQLException trouble) {
            throw new AssertionError(trouble);
        }
    }

    /** The fence knows it first; until the transaction is rolled back, the client has heard of it as well. */
    @Test
    void refusedByTheFence_thenTheLossIsKnown_isCounted() {
        runner.run(context -> {
            Shop shop = context.getBean(Shop.class);
            assertThat(shop.ship("1")).isEqualTo("shipped 1");
            somebodyEnters(context);
            context.getBean(Meanwhile.class).work = () -> {
                Lease lease = CurrentLocks.lease("order:1");
                LockInspector inspector = context.getBean(LockClient.class).inspector();
                LockStatus status = inspector.find(LockKind.LOCK, "order:1").orElseThrow();
                inspector.breakClaim(status, status.holders().get(0));
                Awaitility.await().until(() -> !lease.isValid());
            };
            assertThatThrownBy(() -> shop.ship("1"))
                    .isInstanceOf(LockLostException.class)
                    .satisfies(lost ->
                            assertThat(lost.getSuppressed()).singleElement().isInstanceOf(StaleTokenException.class));
            assertThat(count(context, "holdfast.fence.refused", "order:{p0}")).isOne();
        });
    }
}
