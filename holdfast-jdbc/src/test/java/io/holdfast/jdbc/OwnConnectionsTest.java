package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.testing.databases.H2Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a data source can do to a client, and a stopped client to others: nothing. */
@Tag("integration")
@Timeout(60)
class OwnConnectionsTest {
    /** The transaction of a thread. */
    private static final ThreadLocal<Connection> BOUND = new ThreadLocal<>();

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private H2Database database;

    @BeforeEach
    void start() throws SQLException {
        database = bench.open(H2Database.start());
    }

    /** A pool of a few connections that lets those wait who find it empty, for as long as they like. */
    private final class Pool implements TestDataSource.Source {
        private final Semaphore left;

        Pool(int size) {
            left = new Semaphore(size);
        }

        @Override
        public Connection connect() throws SQLException {
            left.acquireUninterruptibly();
            return database.connect();
        }
    }

    @Test
    void poolIsEmpty_callersTakeTurnsWithWhatIsOpen() {
        Pool pool = new Pool(3);
        LockClient client = bench.client(bench.builder(pool).connections(2));
        assertThat(pool.left.availablePermits())
                .as("one for callers, one for renewals, one that waits")
                .isZero();
        List<CompletableFuture<Object>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String name = "own" + i;
            callers.add(FaultBench.async(() -> client.lock(name).tryAcquire(Duration.ofSeconds(1))));
        }
        callers.forEach(FaultBench::get); // they take turns with the connection that there is
        pool.left.release(2);
        assertThat(client.lock("b").tryAcquire()).isPresent();
    }

    /** All of the rest of the pool is in transactions that need a lock before they can end. */
    @Test
    void restOfThePoolIsInTransactions_theyGetTheirLocks() {
        int threads = 4;
        Pool pool = new Pool(3 + threads);
        LockClient client = bench.client(bench.builder(pool).connections(4));
        CountDownLatch all = new CountDownLatch(threads);
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String name = "own" + i;
            callers.add(FaultBench.async(() -> {
                try (Connection transaction = pool.connect()) {
                    transaction.setAutoCommit(false);
                    all.countDown();
                    all.await();
                    return client.lock(name).tryAcquire(Duration.ofSeconds(20)).isPresent();
                }
            }));
        }
        assertThat(callers).allSatisfy(each -> assertThat(FaultBench.get(each)).isTrue());
        assertThat(pool.left.availablePermits()).isZero();
    }

    /** The application has taken what we gave back. */
    @Test
    void connectionsBreakWhileThePoolIsEmpty_callerIsTold_andServedLater() {
        AtomicBoolean broken = new AtomicBoolean();
        Pool pool = new Pool(3);
        LockClient client = bench.client(JdbcLocks.builder(Spy.on(pool, sql -> {
                    if (broken.get()) {
                        throw new SQLException("the connection was reset", "08006");
                    }
                }))
                .table(bench.table())
                .createTables()
                .connections(2));
        broken.set(true);
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("nobody knows whether it was done");
        broken.set(false);
        assertThatThrownBy(() -> client.lock("a").tryAcquire(Duration.ofSeconds(2)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("the data source gave no connection in time", "connections(n) + 3");
        pool.left.release(4);
        FaultBench.soon("it goes on")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
    }

    /** As pools do that wait for less than ten seconds themselves. */
    @Test
    void poolThrows_saysThatItIsTooSmall() {
        Semaphore left = new Semaphore(1);
        assertThatThrownBy(() -> bench.client(bench.builder(() -> {
                    if (!left.tryAcquire()) {
                        throw new SQLTransientConnectionException("Pool-1 - Connection is not available, 250ms");
                    }
                    return database.connect();
                })))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "a connection for renewals",
                        "no connection could be opened, so it was not done",
                        "connections(n) + 3",
                        "Pool-1 - Connection is not available");
    }

    @Test
    void poolIsTooSmallForRenewals_isFoundAtTheStart() {
        Pool pool = new Pool(1);
        assertThatThrownBy(() -> bench.client(bench.builder(pool)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll(
                        "a connection for renewals",
                        "the data source gave no connection in time",
                        "check that the database runs",
                        "connections(n) + 3");
        pool.left.release(20);
    }

    /** As Spring does it: the thread's transaction has a connection, and whoever asks on that thread gets the same. */
    @Test
    void callerIsInATransaction_lockIsNotPartOfIt() throws Exception {
        Semaphore gate = new Semaphore(0);
        DataSource source = Spy.on(
                () -> {
                    Connection mine = BOUND.get();
                    return mine == null ? database.connect() : mine;
                },
                sql -> {
                    if (Thread.currentThread().getName().equals("async")) {
                        gate.acquireUninterruptibly();
                    }
                });
        LockClient client = bench.client(
                JdbcLocks.builder(source).table(bench.table()).createTables().connections(2));
        CompletableFuture<Object> other =
                FaultBench.async(() -> client.lock("other").tryAcquire());
        FaultBench.soon("another one has the connection that is open").until(gate::hasQueuedThreads);
        try (Connection transaction = database.connect()) {
            transaction.setAutoCommit(false);
            BOUND.set(transaction);
            Lease lease = client.lock("a").acquire();
            transaction.rollback();
            BOUND.remove();
            assertThat(transaction.getAutoCommit()).isFalse();
            assertThat(bench.client(database).lock("a").tryAcquire())
                    .as("the lock stands though the transaction was undone")
                    .isEmpty();
            lease.close();
            gate.release(100);
            FaultBench.get(other);
        }
    }

    @Test
    void interruptFlagIsSet_tripIsMade_andFlagIsKept() {
        AtomicBoolean seen = new AtomicBoolean();
        LockClient client = bench.client(JdbcLocks.builder(Spy.on(database::connect, sql -> {
                    if (Thread.currentThread().isInterrupted()) {
                        seen.set(true);
                        throw new SQLException("a driver that gives up when it is interrupted");
                    }
                }))
                .table(bench.table())
                .createTables());
        Thread.currentThread().interrupt();
        try (Lease lease = client.lock("a").tryAcquire().orElseThrow()) {
            assertThat(Thread.interrupted()).as("the flag stays").isTrue();
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).as("the flag stays over the release").isTrue();
        assertThat(seen).isFalse();
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    /** It decides by what it read before, so its write must not count. */
    @Test
    void clientStopsBetweenReadAndWrite_writeHasNoEffect() throws Exception {
        Semaphore gate = new Semaphore(0);
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicBoolean stops = new AtomicBoolean();
        LockClient stopped = bench.client(JdbcLocks.builder(Spy.on(database::connect, sql -> {
                    if (sql.startsWith("UPDATE") && sql.contains("doc = ?") && stops.get()) {
                        arrived.countDown();
                        gate.acquireUninterruptibly();
                    }
                }))
                .table(bench.table())
                .createTables());
        LockClient other = bench.client(database);
        Lease first = other.lock("a", FaultBench.fixedLease(60_000)).acquire();
        stops.set(true);
        CompletableFuture<Lease> late = FaultBench.async(() -> stopped.lock("a").acquire());
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        first.close(); // blocked by nobody
        Lease second = other.lock("a").tryAcquire().orElseThrow();
        stops.set(false);
        gate.release(100);
        FaultBench.soon("the late one stands in line").until(() -> waiters() == 1);
        assertThat(second.isValid()).isTrue();
        assertThat(late).isNotDone();
        second.close();
        assertThat(FaultBench.get(late).token()).isGreaterThan(second.token());
        FaultBench.get(late).close();
    }

    private int waiters() {
        return bench.client(database)
                .inspector()
                .find(LockKind.LOCK, "a")
                .map(status -> status.waiting())
                .orElse(0);
    }

    @Test
    void everyConnectionIsTaken_callersTakeTurns_andTheLastIsTold() throws Exception {
        Semaphore gate = new Semaphore(0);
        AtomicBoolean slow = new AtomicBoolean();
        LockClient client = bench.client(JdbcLocks.builder(Spy.on(database::connect, sql -> {
                    if (slow.get() && sql.contains("FINAL TABLE")) {
                        gate.acquireUninterruptibly();
                    }
                }))
                .table(bench.table())
                .createTables()
                .connections(1)
                .requestTimeout(Duration.ofSeconds(3)));
        Lease held = client.lock("held", FaultBench.lease(6_000)).acquire();
        slow.set(true);
        CompletableFuture<Object> stuck =
                FaultBench.async(() -> client.lock("stuck").tryAcquire());
        FaultBench.soon("it has the connection").until(gate::hasQueuedThreads);
        assertThatThrownBy(() -> client.lock("b").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("all 1 connections for locks were in use", "allow more with connections(n)");
        FaultBench.awaitRenewal(held); // over a connection of its own
        slow.set(false);
        gate.release(100);
        FaultBench.get(stuck);
        assertThat(client.lock("b").tryAcquire()).isPresent();
    }

    /** Nobody knows what the server still does on it. */
    @Test
    void statementFails_connectionIsNotUsedAgain() throws Exception {
        Queue<Connection> opened = new ConcurrentLinkedQueue<>();
        AtomicBoolean fails = new AtomicBoolean();
        LockClient client = bench.client(JdbcLocks.builder(Spy.on(
                        () -> {
                            Connection connection = database.connect();
                            opened.add(connection);
                            return connection;
                        },
                        sql -> {
                            if (sql.contains("FINAL TABLE") && fails.getAndSet(false)) {
                                throw new SQLException("the connection was reset", "08006");
                            }
                        }))
                .table(bench.table())
                .createTables());
        client.lock("a").acquire().close();
        Connection first = opened.peek();
        fails.set(true);
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("ask for 'a'", "nobody knows whether it was done", "08006");
        FaultBench.soon("it is closed").until(first::isClosed);
        FaultBench.soon("it works")
                .ignoreExceptions()
                .until(() -> client.lock("a").tryAcquire().isPresent());
    }

    @Test
    void close_givesEveryConnectionBack() throws Exception {
        Deque<Connection> opened = new ArrayDeque<>();
        LockClient client = bench.builder(() -> {
                    Connection connection = database.connect();
                    synchronized (opened) {
                        opened.add(connection);
                    }
                    return connection;
                })
                .connect();
        client.lock("a").acquire().close();
        client.close();
        for (Connection each : opened) {
            FaultBench.soon("it is closed").until(each::isClosed);
        }
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet left = statement.executeQuery("SELECT count(*) FROM " + bench.table() + "_client")) {
            left.next();
            assertThat(left.getLong(1)).as("clients that are gone").isZero();
        }
    }
}
