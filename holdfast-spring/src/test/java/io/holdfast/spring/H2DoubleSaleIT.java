package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** As {@link ServerDoubleSaleIT} and {@link ReactiveServerDoubleSaleIT}, on a database in this process. */
@Tag("integration")
@Tag("full")
class H2DoubleSaleIT {
    private static final int ROUNDS = 20;

    private interface Round {
        DoubleSale.Result run() throws Exception;
    }

    private static void sells(Runnable fill, Round round) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            fill.run();
            assertThat(round.run()).isEqualTo(DoubleSale.ALL_SOLD);
        }
    }

    private static void oversells(Runnable fill, Round round) throws Exception {
        int tooMany = 0;
        for (int i = 0; i < ROUNDS; i++) {
            fill.run();
            tooMany += round.run().sold() > DoubleSale.STOCK ? 1 : 0;
        }
        assertThat(tooMany).as("rounds that sold too many, of " + ROUNDS).isGreaterThanOrEqualTo(ROUNDS - 1);
    }

    @Test
    void jdbc_outsideAndInside() throws Exception {
        for (Class<?> settings : new Class<?>[] {DoubleSale.Outside.class, DoubleSale.Inside.class}) {
            try (TestLocks locks = new TestLocks(settings, DoubleSaleTest.Database.class, DoubleSaleTest.Shop.class)) {
                DoubleSaleTest.Shop shop = locks.bean(DoubleSaleTest.Shop.class);
                sells(shop::fill, () -> DoubleSale.round(shop::buy));
            }
        }
    }

    @Test
    void jdbc_inATransactionThatWasThereBefore_keptOrGivenBackAtReturn() throws Exception {
        try (TestLocks locks =
                new TestLocks(DoubleSale.Outside.class, DoubleSaleTest.Database.class, DoubleSaleTest.Shop.class)) {
            DoubleSaleTest.Shop shop = locks.bean(DoubleSaleTest.Shop.class);
            TransactionTemplate template = new TransactionTemplate(locks.bean(PlatformTransactionManager.class));
            sells(shop::fill, () -> DoubleSale.round(() -> goesOn(template, shop, shop::buy)));
            oversells(shop::fill, () -> DoubleSale.round(() -> goesOn(template, shop, shop::buyAtReturn)));
        }
    }

    /** A transaction that goes on after the purchase. */
    private static boolean goesOn(TransactionTemplate template, DoubleSaleTest.Shop shop, BooleanSupplier buy) {
        return template.execute(status -> {
            boolean bought = buy.getAsBoolean();
            shop.log();
            return bought;
        });
    }

    @Test
    void jpa_outsideAndInside() throws Exception {
        for (Class<?> settings : new Class<?>[] {DoubleSale.Outside.class, DoubleSale.Inside.class}) {
            try (TestLocks locks =
                    new TestLocks(settings, JpaTest.Database.class, JpaTest.Jpa.class, JpaTest.Shop.class)) {
                JpaTest.Shop shop = locks.bean(JpaTest.Shop.class);
                sells(() -> shop.fill(DoubleSale.STOCK), () -> DoubleSale.round(shop::buy));
            }
        }
    }

    @Test
    void r2dbc_outsideAndInside_andAtReturn() throws Exception {
        for (Class<?> settings : new Class<?>[] {DoubleSale.Outside.class, DoubleSale.Inside.class}) {
            try (TestLocks locks = new TestLocks(
                    settings, ReactiveTransactionsTest.Database.class, ReactiveTransactionsTest.Shop.class)) {
                ReactiveTransactionsTest.Shop shop = locks.bean(ReactiveTransactionsTest.Shop.class);
                sells(() -> fill(shop), () -> ReactiveTransactionsTest.round(shop.buy()));
                TransactionalOperator operator =
                        TransactionalOperator.create(locks.bean(ReactiveTransactionManager.class));
                Mono<Long> log = shop.execute("INSERT INTO log VALUES (1)");
                Mono<Boolean> atReturn = operator.transactional(shop.buyAtReturn()
                        .delayUntil(bought -> Mono.delay(Duration.ofMillis(2)).then(log)));
                oversells(() -> fill(shop), () -> ReactiveTransactionsTest.round(atReturn));
            }
        }
    }

    private static void fill(ReactiveTransactionsTest.Shop shop) {
        shop.execute("CREATE TABLE IF NOT EXISTS stock (n INT)")
                .then(shop.execute("CREATE TABLE IF NOT EXISTS log (n INT)"))
                .then(shop.execute("DELETE FROM stock"))
                .then(shop.execute("INSERT INTO stock VALUES (" + DoubleSale.STOCK + ")"))
                .block();
    }
}
