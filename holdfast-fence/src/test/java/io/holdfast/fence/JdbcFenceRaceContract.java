package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in when several come at once. */
abstract class JdbcFenceRaceContract extends JdbcFenceContract {
    private static final int THREADS = 6;
    private static final int ROUNDS = 12;
    private static final String H2_CONCURRENT_UPDATE = "90131";

    // ---- a holder that was paused

    @Test
    void enter_pausedHolderWakesUp_isRefused() throws Exception {
        String name = newCounter();
        Connection paused = transaction();
        fence.enter(paused, name, 33, A);
        write(paused, name, total(paused, name) + 1);
        paused.commit();

        committed(connection -> {
            fence.enter(connection, name, 34, B);
            write(connection, name, total(connection, name) + 10);
            return true;
        });

        assertThatThrownBy(() -> fence.enter(paused, name, 33, A)).isInstanceOf(StaleTokenException.class);
        paused.rollback();
        assertThat(total(name)).isEqualTo(11);
    }

    @Test
    void enter_earlierHolderIsInside_waitsAndSeesItsWrites() throws Exception {
        String name = newCounter();
        Connection a = transaction();
        Connection b = transaction();
        fence.enter(a, name, 33, A);
        long seenByA = total(a, name);

        CompletableFuture<Long> next = inThread(
                connection -> {
                    fence.enter(connection, name, 34, B);
                    long seen = total(connection, name);
                    connection.commit();
                    return seen;
                },
                b);
        assertWaits(next);
        write(a, name, seenByA + 5);
        a.commit();

        assertThat(result(next)).isEqualTo(5);
        assertThatThrownBy(() -> fence.enter(a, name, 33, A)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void enter_sameHolderAgainWithoutAChange_stillLocksTheRow() throws Exception {
        String name = newCounter();
        enterCommitted(name, 33, A);
        Connection a = transaction();
        Connection b = transaction();
        fence.enter(a, name, 33, A);

        CompletableFuture<Void> next = inThread(
                connection -> {
                    fence.enter(connection, name, 34, B);
                    return null;
                },
                b);
        assertWaits(next);
        a.commit();

        result(next);
        b.commit();
        assertCurrent(name, 34, B);
    }

    @Test
    void enter_laterHolderIsInside_waitsAndIsRefused() throws Exception {
        String name = newName();
        enterCommitted(name, 32, A);
        Connection a = transaction();
        Connection b = transaction();
        fence.enter(b, name, 34, B);

        CompletableFuture<Void> late = inThread(
                connection -> {
                    fence.enter(connection, name, 33, A);
                    return null;
                },
                a);
        assertWaits(late);
        b.commit();

        assertThat(failure(late)).isInstanceOf(StaleTokenException.class);
        a.rollback();
        assertCurrent(name, 34, B);
    }

    @Test
    void enter_firstUseByALaterHolderThatRollsBack_earlierOneIsLetIn() throws Exception {
        String name = newName();
        Connection a = transaction();
        Connection b = transaction();
        fence.enter(b, name, 34, B);

        CompletableFuture<Void> waiting = inThread(
                connection -> {
                    fence.enter(connection, name, 33, A);
                    connection.commit();
                    return null;
                },
                a);
        assertWaits(waiting);
        b.rollback();

        result(waiting);
        assertCurrent(name, 33, A);
    }

    @Test
    void enter_firstUseByALaterHolder_earlierOneIsRefused() throws Exception {
        String name = newName();
        Connection a = transaction();
        Connection b = transaction();
        fence.enter(b, name, 34, B);

        CompletableFuture<Void> waiting = inThread(
                connection -> {
                    fence.enter(connection, name, 33, A);
                    return null;
                },
                a);
        assertWaits(waiting);
        b.commit();

        assertThat(failure(waiting)).isInstanceOf(StaleTokenException.class);
    }

    // ---- why before reading

    @Test
    void enter_onlyBeforeWriting_losesAnUpdate() throws Exception {
        String name = newCounter();
        long seenByA = total(name);
        long seenByB = total(name);

        committed(connection -> {
            fence.enter(connection, name, 33, A);
            write(connection, name, seenByA + 1);
            return true;
        });
        committed(connection -> {
            fence.enter(connection, name, 34, B);
            write(connection, name, seenByB + 1);
            return true;
        });

        assertThat(total(name))
                .as("two updates, each with a good token, and one is lost")
                .isOne();
    }

    @Test
    void enter_beforeReading_losesNone() throws Exception {
        String name = newCounter();
        enterCommitted(name, 33, A);
        long seenByA = total(name);
        enterCommitted(name, 34, B);
        long seenByB = total(name);

        assertThatThrownBy(() -> committed(connection -> {
                    fence.enter(connection, name, 33, A);
                    write(connection, name, seenByA + 1);
                    return true;
                }))
                .isInstanceOf(StaleTokenException.class);
        committed(connection -> {
            fence.enter(connection, name, 34, B);
            write(connection, name, seenByB + 1);
            return true;
        });

        assertThat(total(name)).as("one update was accepted").isOne();
    }

    // ---- many at once

    @Test
    void enter_manyThreadsUseANameFirst_greatestTokenStays() throws Exception {
        for (int round = 0; round < 5; round++) {
            String name = newName();
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 1; i <= THREADS; i++) {
                long token = i;
                all.add(inThread(
                        connection -> {
                            start.await(30, TimeUnit.SECONDS);
                            return entersOrIsStale(connection, name, token);
                        },
                        transaction()));
            }

            for (CompletableFuture<Boolean> each : all) {
                result(each);
            }
            assertThat(result(all.get(THREADS - 1)))
                    .as("the greatest is accepted")
                    .isTrue();
            assertCurrent(name, THREADS, "thread:" + THREADS);
            closeConnections();
        }
    }

    private boolean entersOrIsStale(Connection connection, String name, long token) throws SQLException {
        while (true) {
            try {
                fence.enter(connection, name, token, "thread:" + token);
                connection.commit();
                return true;
            } catch (StaleTokenException e) {
                connection.rollback();
                return false;
            } catch (SQLException e) {
                connection.rollback();
                failUnlessToBeRepeated(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void enter_manyThreadsCount_updatesAreInTheOrderOfTokensAndNoneIsLost(int isolation) throws Exception {
        String name = newCounter();
        AtomicLong tokens = new AtomicLong();
        List<Long> accepted = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Connection own = transaction();
            own.setTransactionIsolation(isolation);
            all.add(inThread(connection -> count(connection, name, tokens, accepted), own));
        }

        for (CompletableFuture<Void> each : all) {
            result(each);
        }
        assertThat(accepted).hasSizeBetween(ROUNDS, THREADS * ROUNDS).isSorted();
        assertThat(total(name)).isEqualTo(accepted.size());
    }

    /**
     * So many rounds with a new token each, which is used until it is accepted or stale. Notes what was accepted while
     * inside.
     */
    private Void count(Connection connection, String name, AtomicLong tokens, List<Long> accepted) throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            long token = tokens.incrementAndGet();
            boolean open = true;
            while (open) {
                try {
                    fence.enter(connection, name, token, "thread:" + token);
                    write(connection, name, total(connection, name) + 1);
                    accepted.add(token);
                    connection.commit();
                    open = false;
                } catch (StaleTokenException e) {
                    connection.rollback();
                    open = false;
                } catch (SQLException e) {
                    accepted.remove(token);
                    connection.rollback();
                    failUnlessToBeRepeated(e);
                }
            }
        }
        return null;
    }

    /** Deadlocks and serialization failures are the user's to repeat, with or without a fence. */
    private static void failUnlessToBeRepeated(SQLException e) throws SQLException {
        boolean concurrent = e.getSQLState().startsWith("40") || e.getSQLState().equals(H2_CONCURRENT_UPDATE);
        if (!concurrent) {
            throw e;
        }
    }

    @Test
    void createTable_manyAtOnce_allSucceed() throws Exception {
        JdbcFence other = JdbcFence.inTable("fence_of_many");
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Connection own = transaction();
            own.setAutoCommit(true);
            all.add(inThread(
                    connection -> {
                        start.await(30, TimeUnit.SECONDS);
                        other.createTable(connection);
                        return null;
                    },
                    own));
        }
        for (CompletableFuture<Void> each : all) {
            result(each);
        }
    }
}
