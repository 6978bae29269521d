package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls inside of calls that hold the same name, where there are transactions. */
class ReentryTest {

    static class Shop {
        private final JdbcTemplate jdbc;

        Shop(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Locked(value = "a", waitFor = "0")
        public void write(Runnable more) {
            jdbc.update("INSERT INTO t VALUES (1)");
            more.run();
        }

        @Locked(value = "a", waitFor = "0", release = Locked.Release.AT_RETURN)
        public void atReturn(Runnable more) {
            more.run();
        }

        @Locked(value = "a", waitFor = "0")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void writeAlone(Runnable more) {
            jdbc.update("INSERT INTO t VALUES (1)");
            more.run();
        }

        @Locked(value = "a", waitFor = "0")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void writeWithout(Runnable more) {
            jdbc.update("INSERT INTO t VALUES (1)");
            more.run();
        }
    }

    private TestLocks locks;
    private Shop shop;
    private LockOperations operations;
    private TransactionTemplate transactions;

    @BeforeEach
    void start() {
        locks = new TestLocks(TransactionsTest.Database.class, Shop.class);
        shop = locks.bean(Shop.class);
        operations = locks.bean(LockOperations.class);
        transactions = locks.bean(TransactionTemplate.class);
    }

    @AfterEach
    void stop() {
        assertThat(locks.isFree("a")).isTrue();
        assertThat(ThreadLocks.current().holdings()).isEmpty();
        locks.close();
    }

    private int rows() {
        return locks.bean(JdbcTemplate.class).queryForObject("SELECT COUNT(*) FROM t", Integer.class);
    }

    private void loseAndKnow() {
        Lease lease = CurrentLocks.lease("a");
        locks.lose("a");
        await().until(() -> !lease.isValid());
    }

    @Test
    void insideOfAtReturn_keptUntilTheTransactionHasEnded() {
        transactions.executeWithoutResult(status -> {
            shop.atReturn(() -> {
                shop.write(() -> {});
                shop.write(() -> {});
            });
            assertThat(locks.isFree("a")).as("what it wrote is not committed").isFalse();
            shop.write(() -> {});
        });
        assertThat(rows()).isEqualTo(3);
    }

    @Test
    void insideOfAtReturn_oneMoreName_bothAreKept() {
        transactions.executeWithoutResult(status -> {
            shop.atReturn(() -> operations.run(List.of("a", "b"), () -> {}));
            assertThat(locks.isFree("a")).isFalse();
            assertThat(locks.isFree("b")).isFalse();
        });
        assertThat(locks.isFree("b")).isTrue();
    }

    @Test
    void leansOnWhatTheTransactionKeeps_refusedAsIfItAsked() {
        transactions.executeWithoutResult(status -> {
            shop.write(() -> {});
            assertThatThrownBy(() -> operations.joining(Joining.REFUSE).run("a", () -> {}))
                    .isInstanceOf(LockedTooLateException.class);
        });
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        transactions.executeWithoutResult(status -> {
            operations.joining(Joining.HOLD).run("a", () -> {});
            assertThatThrownBy(() -> shop.write(() -> {})).isInstanceOf(LockedTooLateException.class);
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void leansOnALockFromBeforeTheTransaction_isNotTooLate() {
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        operations.run(
                "a",
                () -> transactions.executeWithoutResult(status -> {
                    shop.write(() -> {});
                    operations.joining(Joining.REFUSE).run("a", () -> {});
                }));
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void transactionInsideOfAtReturn_endsFirst_andTheLockIsStillHeld() {
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        shop.atReturn(() -> {
            transactions.executeWithoutResult(status -> {
                shop.write(() -> {});
                shop.write(() -> {});
            });
            assertThat(locks.isFree("a")).isFalse();
            shop.write(() -> assertThat(CurrentLocks.token()).isPositive());
        });
        assertThat(rows()).isEqualTo(3);
    }

    @Test
    void requiresNewInside_lost_neitherCommits() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    shop.write(() -> {});
                    assertThatThrownBy(() -> shop.writeAlone(this::loseAndKnow)).isInstanceOf(LockLostException.class);
                    assertThat(rows()).as("its own alone").isEqualTo(1);
                    assertThatThrownBy(() -> shop.writeAlone(() -> {}))
                            .as("what was lost is not asked for again")
                            .isInstanceOf(LockLostException.class);
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(rows()).isZero();
    }

    @Test
    void requiresNewInside_leansOnWhatTheTransactionKeeps() {
        transactions.executeWithoutResult(status -> {
            shop.write(() -> {});
            shop.writeAlone(() -> {});
            assertThat(locks.isFree("a")).isFalse();
            status.setRollbackOnly();
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void notSupported_releasedWhenItReturns_whateverTheIsolation() {
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        transactions.executeWithoutResult(status -> {
            shop.writeWithout(() -> assertThat(locks.isFree("a")).isFalse());
            assertThat(locks.isFree("a")).isTrue();
            status.setRollbackOnly();
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void operations_areLeftToTheTransaction_refused_orGivenBack() {
        transactions.executeWithoutResult(status -> {
            operations.run("a", () -> {});
            assertThat(locks.isFree("a")).isFalse();
        });
        transactions.executeWithoutResult(status -> {
            operations.release(Locked.Release.AT_RETURN).run("a", () -> {});
            assertThat(locks.isFree("a")).isTrue();
            assertThatThrownBy(() -> operations.joining(Joining.REFUSE).run("a", () -> {}))
                    .isInstanceOf(LockedTooLateException.class);
        });
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
        transactions.executeWithoutResult(status -> {
            assertThatThrownBy(() -> operations.run("a", () -> {})).isInstanceOf(LockedTooLateException.class);
            operations.joining(Joining.HOLD).run("a", () -> {});
            assertThat(locks.isFree("a")).isFalse();
        });
    }

    @Test
    void operations_lost_doNotCommit() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    operations.run("a", () -> locks.bean(JdbcTemplate.class).update("INSERT INTO t VALUES (1)"));
                    loseAndKnow();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(rows()).isZero();
    }
}
