package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockKind;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** None too many are sold, with the advice outside and inside of the transaction; too many if it ends too early. */
class DoubleSaleTest {

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class Database {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool dataSource() {
            JdbcConnectionPool pool = JdbcConnectionPool.create(
                    "jdbc:h2:mem:sale" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1", "sa", "");
            pool.setMaxConnections(20);
            return pool;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static class Shop {
        private final JdbcTemplate jdbc;

        Shop(DataSource dataSource) {
            this.jdbc = new JdbcTemplate(dataSource);
        }

        void fill() {
            jdbc.execute("CREATE TABLE IF NOT EXISTS stock (n INT)");
            jdbc.execute("CREATE TABLE IF NOT EXISTS log (n INT)");
            jdbc.update("DELETE FROM stock");
            jdbc.update("INSERT INTO stock VALUES (?)", DoubleSale.STOCK);
        }

        @Locked("stock")
        @Transactional
        public boolean buy() {
            return take();
        }

        @Locked(value = "stock", release = Locked.Release.AT_RETURN)
        @Transactional
        public boolean buyAtReturn() {
            return take();
        }

        /** More of the same transaction. */
        void log() {
            for (int i = 0; i < 20; i++) {
                jdbc.update("INSERT INTO log VALUES (1)");
            }
        }

        private boolean take() {
            int left = jdbc.queryForObject("SELECT n FROM stock", Integer.class);
            if (left > 0) {
                jdbc.update("UPDATE stock SET n = ?", left - 1);
            }
            return left > 0;
        }
    }

    private static long sold(Class<?> settings, boolean atReturn, boolean around) throws Exception {
        try (TestLocks locks = new TestLocks(settings, Database.class, Shop.class)) {
            Shop shop = locks.bean(Shop.class);
            shop.fill();
            TransactionTemplate template = new TransactionTemplate(locks.bean(PlatformTransactionManager.class));
            return DoubleSale.round(() -> {
                        if (around) {
                            return template.execute(status -> {
                                boolean bought = atReturn ? shop.buyAtReturn() : shop.buy();
                                shop.log();
                                return bought;
                            });
                        }
                        return atReturn ? shop.buyAtReturn() : shop.buy();
                    })
                    .sold();
        }
    }

    @Test
    void sale_noneTooMany() throws Exception {
        assertThat(sold(DoubleSale.Outside.class, false, false)).isEqualTo(DoubleSale.STOCK);
        assertThat(sold(DoubleSale.Outside.class, false, true)).isEqualTo(DoubleSale.STOCK);
        assertThat(sold(DoubleSale.Inside.class, false, false)).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void atReturn_tooMany() throws Exception {
        long most = 0;
        for (int round = 0; round < 5 && most <= DoubleSale.STOCK; round++) {
            most = Math.max(most, sold(DoubleSale.Outside.class, true, true));
        }
        assertThat(most).isGreaterThan(DoubleSale.STOCK);
    }

    @Test
    void waiting_hasNoConnectionOfThePool() throws Exception {
        try (TestLocks locks = new TestLocks(DoubleSale.Outside.class, Database.class, Shop.class)) {
            JdbcConnectionPool pool = locks.bean(JdbcConnectionPool.class);
            Shop shop = locks.bean(Shop.class);
            shop.fill();
            pool.setMaxConnections(1);
            CompletableFuture<Boolean> waiting;
            try (Lease other = locks.elsewhere().lock("stock").acquire()) {
                waiting = TestLocks.begin(shop::buy);
                await().until(() -> !locks.elsewhere()
                        .inspector()
                        .find(LockKind.LOCK, "stock")
                        .orElseThrow()
                        .waiters()
                        .isEmpty());
                assertThat(pool.getActiveConnections()).isZero();
                shop.fill();
            }
            assertThat(waiting.join()).isTrue();
        }
    }
}
