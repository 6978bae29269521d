package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockLostException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.IsolationLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** As {@link TransactionsTest}, for transactions of a Reactor context on R2DBC. */
class ReactiveTransactionsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class Database {
        @Bean
        ConnectionFactory connectionFactory() {
            return ConnectionFactories.get(
                    "r2dbc:h2:mem:///reactive" + System.identityHashCode(this) + "?options=DB_CLOSE_DELAY=-1");
        }

        @Bean
        ReactiveTransactionManager transactionManager(ConnectionFactory factory) {
            return new R2dbcTransactionManager(factory);
        }

        @Bean
        DatabaseClient database(ConnectionFactory factory) {
            return DatabaseClient.create(factory);
        }
    }

    /** Its connections see a snapshot by default, as those of MariaDB and MySQL do, and no definition says so. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 50)
    static class StrictDatabase extends Database {
        @Bean
        @Override
        ConnectionFactory connectionFactory() {
            return new Strict(super.connectionFactory());
        }
    }

    private record Strict(ConnectionFactory target) implements ConnectionFactory {
        @Override
        public Mono<Connection> create() {
            return Mono.<Connection>from(target.create())
                    .delayUntil(connection -> connection.setTransactionIsolationLevel(IsolationLevel.REPEATABLE_READ));
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return target.getMetadata();
        }
    }

    static class Shop {
        private final DatabaseClient database;

        Shop(DatabaseClient database) {
            this.database = database;
        }

        Mono<Long> execute(String sql) {
            return database.sql(sql).fetch().rowsUpdated();
        }

        Mono<Integer> left() {
            return database.sql("SELECT n FROM stock")
                    .map(row -> row.get(0, Integer.class))
                    .one();
        }

        @Locked(value = "stock", waitFor = "60s")
        @Transactional
        public Mono<Boolean> buy() {
            return take();
        }

        @Locked(value = "stock", waitFor = "60s")
        public Mono<Boolean> buyInside() {
            return take();
        }

        @Locked("stock")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Boolean> buyAlone() {
            return take();
        }

        @Locked("stock")
        @Transactional
        public Mono<Boolean> then(Mono<Boolean> more) {
            return take().then(more);
        }

        @Locked("stock")
        public Mono<Boolean> thenInside(Mono<Boolean> more) {
            return take().then(more);
        }

        @Locked(value = "stock", waitFor = "60s", joining = Joining.HOLD)
        public Mono<Boolean> buyHolding() {
            return take();
        }

        @Locked(value = "stock", joining = Joining.REFUSE)
        public Mono<Boolean> buyRefusing() {
            return take();
        }

        @Locked(value = "stock", waitFor = "60s", release = Locked.Release.AT_RETURN)
        public Mono<Boolean> buyAtReturn() {
            return take();
        }

        @Locked(value = "stock", waitFor = "0")
        public Mono<Integer> look() {
            return left();
        }

        @Locked(value = "stock", release = Locked.Release.AT_RETURN)
        public Mono<Boolean> atReturn(Mono<Boolean> more) {
            return more;
        }

        private Mono<Boolean> take() {
            return left().flatMap(left ->
                    left > 0 ? execute("UPDATE stock SET n = " + (left - 1)).thenReturn(true) : Mono.just(false));
        }
    }

    private TestLocks locks;
    private Shop shop;
    private TransactionalOperator operator;

    @BeforeEach
    void start() {
        start(Database.class, Shop.class);
    }

    private void start(Class<?>... classes) {
        locks = new TestLocks(classes);
        shop = locks.bean(Shop.class);
        operator = TransactionalOperator.create(locks.bean(ReactiveTransactionManager.class));
        shop.execute("CREATE TABLE stock (n INT)")
                .then(shop.execute("INSERT INTO stock VALUES (" + DoubleSale.STOCK + ")"))
                .block();
    }

    @AfterEach
    void stop() {
        await().until(() -> locks.isFree("stock"));
        locks.close();
    }

    /** As {@link DoubleSale#round}, for buyers who need no threads. */
    static DoubleSale.Result round(Mono<Boolean> buy) {
        List<Integer> outcomes = Flux.range(0, DoubleSale.BUYERS)
                .flatMap(
                        i -> buy.map(bought -> bought ? 1 : 0).onErrorReturn(LockedTooLateException.class, -1),
                        DoubleSale.THREADS)
                .collectList()
                .block(Duration.ofSeconds(60));
        return new DoubleSale.Result(
                outcomes.stream().filter(outcome -> outcome > 0).count(),
                outcomes.stream().filter(outcome -> outcome < 0).count());
    }

    @Test
    void sale_noneTooMany() {
        assertThat(round(shop.buy())).isEqualTo(DoubleSale.ALL_SOLD);
        assertThat(shop.left().block()).isZero();
    }

    @Test
    void sale_inATransactionThatWasThereBefore_noneTooMany() {
        assertThat(round(operator.transactional(shop.buyInside()))).isEqualTo(DoubleSale.ALL_SOLD);
    }

    @Test
    void wasThereBefore_keptUntilItHasEnded() {
        Boolean free = operator.transactional(shop.buyInside().then(Mono.fromSupplier(() -> locks.isFree("stock"))))
                .block();

        assertThat(free).isFalse();
        assertThat(locks.isFree("stock")).isTrue();
    }

    @Test
    void wasThereBefore_onlyTheTransactionKeepsIt_isNotAskedForAgain() {
        Boolean again =
                operator.transactional(shop.buyInside().then(shop.buyInside())).block(Duration.ofSeconds(30));

        assertThat(again).isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK - 2);
        assertThat(locks.isFree("stock")).isTrue();
    }

    @Test
    void wasThereBefore_suspended_whatItKeepsIsNotAskedForAgain() {
        for (int own : List.of(
                DefaultTransactionDefinition.PROPAGATION_REQUIRES_NEW,
                DefaultTransactionDefinition.PROPAGATION_NOT_SUPPORTED)) {
            TransactionalOperator alone = TransactionalOperator.create(
                    locks.bean(ReactiveTransactionManager.class), new DefaultTransactionDefinition(own));
            Mono<Integer> seen = shop.buyInside().then(alone.transactional(shop.look()));

            assertThat(operator.execute(status -> {
                                status.setRollbackOnly();
                                return seen;
                            })
                            .blockLast(Duration.ofSeconds(30)))
                    .isEqualTo(DoubleSale.STOCK);
            assertThat(locks.isFree("stock")).isTrue();
        }
    }

    @Test
    void insideOfAtReturn_keptUntilTheTransactionHasEnded() {
        Boolean free = operator.transactional(shop.atReturn(shop.buyInside().then(shop.buyInside()))
                        .then(Mono.fromSupplier(() -> locks.isFree("stock"))))
                .block(Duration.ofSeconds(30));

        assertThat(free).as("what it wrote is not committed").isFalse();
        assertThat(locks.isFree("stock")).isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK - 2);
    }

    @Test
    void wasThereBefore_rolledBack_keptUntilThen() {
        List<Boolean> free = new ArrayList<>();
        operator.execute(status -> {
                    status.setRollbackOnly();
                    return shop.buyInside().doOnNext(bought -> free.add(locks.isFree("stock")));
                })
                .blockLast();

        assertThat(free).containsExactly(false);
        assertThat(locks.isFree("stock")).isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void wasThereBefore_givenBackAfterItsListeners() {
        List<String> heard = new CopyOnWriteArrayList<>();
        operator.transactional(shop.buyInside()
                        .then(TransactionSynchronizationManager.forCurrentTransaction())
                        .doOnNext(manager -> manager.registerSynchronization(new Listening(heard))))
                .block();

        assertThat(heard).containsExactly("committed, free: false");
        assertThat(locks.isFree("stock")).isTrue();
    }

    /** As listeners of {@code AFTER_COMMIT} are told. */
    private final class Listening implements TransactionSynchronization {
        private final List<String> heard;

        Listening(List<String> heard) {
            this.heard = heard;
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> heard.add("committed, free: " + locks.isFree("stock")));
        }
    }

    @Test
    void adviceInside_sale_noneTooMany_keptUntilTheTransactionHasEnded() {
        locks.close();
        start(DoubleSale.Inside.class, Database.class, Shop.class);

        assertThat(round(shop.buy())).isEqualTo(DoubleSale.ALL_SOLD);
        assertThat(shop.left().block()).isZero();
    }

    @Test
    void atReturn_givenBackBeforeTheCommit() {
        Boolean free = operator.transactional(shop.buyAtReturn().then(Mono.fromSupplier(() -> locks.isFree("stock"))))
                .block();

        assertThat(free).isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK - 1);
    }

    @Test
    void requiresNewInside_releasedWhenItCompletes() {
        Boolean free = operator.transactional(shop.buyAlone().then(Mono.fromSupplier(() -> locks.isFree("stock"))))
                .block();

        assertThat(free).isTrue();
    }

    @Test
    void repeatableRead_refused() {
        DefaultTransactionDefinition strict = new DefaultTransactionDefinition();
        strict.setIsolationLevel(DefaultTransactionDefinition.ISOLATION_REPEATABLE_READ);
        TransactionalOperator stricter =
                TransactionalOperator.create(locks.bean(ReactiveTransactionManager.class), strict);

        assertThatThrownBy(() -> stricter.transactional(shop.buyInside()).block())
                .isInstanceOf(LockedTooLateException.class)
                .hasMessageContaining(IsolationLevel.REPEATABLE_READ.asSql());
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK);
    }

    @Test
    void repeatableRead_ofTheConnectionItself_refused() {
        locks.close();
        start(StrictDatabase.class, Shop.class);

        assertThatThrownBy(() -> operator.transactional(shop.buyInside()).block())
                .isInstanceOf(LockedTooLateException.class)
                .hasMessageContaining(IsolationLevel.REPEATABLE_READ.asSql());
        assertThat(operator.transactional(shop.buyHolding()).block()).isTrue();
        assertThat(shop.buy().block()).as("the transaction began inside").isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK - 2);
    }

    @Test
    void refuse_joinsNone() {
        assertThatThrownBy(() -> operator.transactional(shop.buyRefusing()).block())
                .isInstanceOf(LockedTooLateException.class)
                .hasMessageContaining("REFUSE");
        assertThatThrownBy(() -> operator.transactional(shop.buyInside().then(shop.buyRefusing()))
                        .block())
                .as("also one whose name is held already")
                .isInstanceOf(LockedTooLateException.class);
        assertThat(shop.buyRefusing().block()).isTrue();
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK - 1);
    }

    @Test
    void lost_inATransactionThatWasThereBefore_doesNotCommit() {
        Mono<Boolean> swallowed = shop.thenInside(CurrentLocks.mono().map(this::loseAndKnow))
                .onErrorReturn(LockLostException.class, false);

        assertThatThrownBy(() -> operator.transactional(swallowed).block()).isInstanceOf(LockLostException.class);
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK);
    }

    private boolean loseAndKnow(HeldLocks held) {
        locks.lose("stock");
        await().until(() -> !held.lease("stock").isValid());
        return true;
    }

    @Test
    void lost_doesNotCommit() {
        assertThatThrownBy(() ->
                        shop.then(CurrentLocks.mono().map(this::loseAndKnow)).block())
                .isInstanceOf(LockLostException.class);
        assertThat(shop.left().block()).isEqualTo(DoubleSale.STOCK);
    }
}
