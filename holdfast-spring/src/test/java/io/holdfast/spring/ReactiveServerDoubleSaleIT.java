package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;

/** As {@link ServerDoubleSaleIT}, with R2DBC. */
@Tag("integration")
@Tag("full")
class ReactiveServerDoubleSaleIT {
    private static final int ROUNDS = 20;
    private static String url;

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class Database extends ReactiveTransactionsTest.Database {
        @Bean
        @Override
        ConnectionFactory connectionFactory() {
            return ConnectionFactories.get(url);
        }
    }

    /** A shop, and transactions around what it does. */
    private static final class Sale implements AutoCloseable {
        private final TestLocks locks;
        private final ReactiveTransactionsTest.Shop shop;

        Sale(Class<?> settings) {
            locks = new TestLocks(settings, Database.class, ReactiveTransactionsTest.Shop.class);
            shop = locks.bean(ReactiveTransactionsTest.Shop.class);
        }

        void fill() {
            shop.execute("CREATE TABLE IF NOT EXISTS stock (n INT)")
                    .then(shop.execute("CREATE TABLE IF NOT EXISTS log (n INT)"))
                    .then(shop.execute("DELETE FROM stock"))
                    .then(shop.execute("INSERT INTO stock VALUES (" + DoubleSale.STOCK + ")"))
                    .block();
        }

        /** In a transaction that has read before. */
        Mono<Boolean> afterReading(int isolation, Mono<Boolean> buy) {
            return inTransaction(isolation, shop.left().then(buy));
        }

        /** In a transaction that goes on after the purchase. */
        Mono<Boolean> thenMore(Mono<Boolean> buy) {
            Mono<Long> log =
                    shop.execute("INSERT INTO log VALUES (1)").repeat(19).last();
            return inTransaction(TransactionDefinition.ISOLATION_READ_COMMITTED, buy.delayUntil(bought -> log));
        }

        private Mono<Boolean> inTransaction(int isolation, Mono<Boolean> work) {
            DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
            definition.setIsolationLevel(isolation);
            return TransactionalOperator.create(locks.bean(ReactiveTransactionManager.class), definition)
                    .transactional(work);
        }

        @Override
        public void close() {
            locks.close();
        }
    }

    @Test
    void postgresql() {
        try (PostgresServer server = PostgresServer.start()) {
            url = "r2dbc:postgresql://postgres@" + server.host() + ":" + server.port() + "/postgres";
            sells(DoubleSale.Outside.class, DoubleSale.ALL_SOLD);
            sells(DoubleSale.Inside.class, DoubleSale.ALL_SOLD);
            refusesWhoHasRead(TransactionDefinition.ISOLATION_REPEATABLE_READ);
            oversellsAtReturn();
        }
    }

    @Test
    void mariadb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            url = "r2dbc:mariadb://root@" + server.host() + ":" + server.port() + "/holdfast";
            sells(DoubleSale.Outside.class, DoubleSale.ALL_SOLD);
            sells(DoubleSale.Inside.class, DoubleSale.ALL_REFUSED); // REPEATABLE READ around the lock
            refusesWhoHasRead(TransactionDefinition.ISOLATION_DEFAULT);
            oversellsWhoHasReadAndHolds();
            oversellsAtReturn();
        }
    }

    private static void sells(Class<?> settings, DoubleSale.Result expected) {
        try (Sale sale = new Sale(settings)) {
            for (int round = 0; round < ROUNDS; round++) {
                sale.fill();
                assertThat(ReactiveTransactionsTest.round(sale.shop.buy())).isEqualTo(expected);
                assertThat(sale.shop.left().block()).isEqualTo(DoubleSale.STOCK - (int) expected.sold());
            }
        }
    }

    private static void refusesWhoHasRead(int isolation) {
        try (Sale sale = new Sale(DoubleSale.Outside.class)) {
            sale.fill();
            Mono<Boolean> buy = sale.afterReading(isolation, sale.shop.buyInside());
            assertThat(ReactiveTransactionsTest.round(buy)).isEqualTo(DoubleSale.ALL_REFUSED);
            assertThat(sale.shop.left().block()).isEqualTo(DoubleSale.STOCK);
        }
    }

    /** Why they are refused: more than there are although the lock is held until after the commit. */
    private static void oversellsWhoHasReadAndHolds() {
        try (Sale sale = new Sale(DoubleSale.Outside.class)) {
            sale.fill();
            Mono<Boolean> buy = sale.afterReading(TransactionDefinition.ISOLATION_DEFAULT, sale.shop.buyHolding());
            assertThat(ReactiveTransactionsTest.round(buy).sold()).isGreaterThan(DoubleSale.STOCK);
        }
    }

    private static void oversellsAtReturn() {
        try (Sale sale = new Sale(DoubleSale.Outside.class)) {
            int tooMany = 0;
            for (int round = 0; round < ROUNDS; round++) {
                sale.fill();
                long sold = ReactiveTransactionsTest.round(sale.thenMore(sale.shop.buyAtReturn()))
                        .sold();
                tooMany += sold > DoubleSale.STOCK ? 1 : 0;
            }
            assertThat(tooMany).as("rounds that sold too many, of " + ROUNDS).isGreaterThanOrEqualTo(ROUNDS - 1);
        }
    }
}
