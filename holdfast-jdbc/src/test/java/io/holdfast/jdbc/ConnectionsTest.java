package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.Connections;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.testing.ManualTime;
import io.holdfast.testing.databases.H2Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many connections there are: as many as callers need at a time, and as the data source gives. */
@Tag("integration")
@Timeout(60)
class ConnectionsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int MOST = 8;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private final ManualTime time = new ManualTime();
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
    private final AtomicInteger tries = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);
    private volatile int given = MOST;
    private H2Database database;
    private Connections connections;

    @BeforeEach
    void start() throws SQLException {
        database = bench.open(H2Database.start());
        connections = bench.open(new Connections(this::open, Thread::new, time, MOST));
    }

    private synchronized KeptConnection open() throws SQLException {
        tries.incrementAndGet();
        if (alive() >= given) {
            throw new SQLException("the pool is empty", "08001");
        }
        Connection plain = database.connect();
        opened.add(plain);
        return new KeptConnection(plain, new Statements(Dialect.H2, "t"), time.nanoTime());
    }

    private int alive() throws SQLException {
        int alive = 0;
        for (Connection each : opened) {
            alive += each.isClosed() ? 0 : 1;
        }
        return alive;
    }

    private int use() {
        return connections.with("look", LONG, LONG, connection -> 1);
    }

    /** So many callers, each with a connection at the same time if there are enough. */
    private List<CompletableFuture<Integer>> callers(int count) {
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            callers.add(FaultBench.async(() -> connections.with("look", LONG, LONG, connection -> {
                gate.acquireUninterruptibly();
                return 1;
            })));
        }
        return callers;
    }

    private void await(int inUse) {
        FaultBench.soon(inUse + " at work").until(() -> gate.getQueueLength() == inUse);
    }

    @Test
    void callersOneByOne_needOne() throws SQLException {
        for (int i = 0; i < 20; i++) {
            use();
        }
        assertThat(opened).hasSize(1);
    }

    @RepeatedTest(100)
    void callersAtOnce_openMore_andTheyAreClosedWhenNobodyNeedsThem() throws SQLException {
        List<CompletableFuture<Integer>> callers = callers(MOST + 3);
        await(MOST);
        gate.release(MOST + 3);
        callers.forEach(FaultBench::get);
        assertThat(opened).as("not more than allowed").hasSize(MOST);
        connections.tidy();
        assertThat(alive()).as("right after").isEqualTo(MOST);
        time.advance(Duration.ofSeconds(40));
        use();
        time.advance(Duration.ofSeconds(30));
        connections.tidy();
        FaultBench.soon("the idle ones are closed").until(() -> alive() == 1);
        time.advance(Duration.ofMinutes(2));
        connections.tidy();
        use();
        assertThat(opened).as("the last one stays").hasSize(MOST);
    }

    @Test
    void dataSourceGivesFewer_theyServeEverybody() {
        given = 2;
        List<CompletableFuture<Integer>> callers = callers(MOST);
        await(2);
        FaultBench.soon("it was asked for more").until(() -> tries.get() > 2);
        gate.release(MOST);
        callers.forEach(FaultBench::get);
        assertThat(opened).hasSize(2);
    }

    @Test
    void dataSourceRefused_isLeftAloneForAWhile_andAskedAgain() {
        given = 1;
        List<CompletableFuture<Integer>> first = callers(2);
        await(1);
        FaultBench.soon("it was asked for one more").until(() -> tries.get() == 2);
        gate.release(2);
        first.forEach(FaultBench::get);
        given = MOST;
        List<CompletableFuture<Integer>> second = callers(2);
        await(1);
        gate.release(2);
        second.forEach(FaultBench::get);
        assertThat(tries).as("not again so soon").hasValue(2);
        time.advance(Duration.ofSeconds(11));
        List<CompletableFuture<Integer>> third = callers(2);
        await(2);
        gate.release(2);
        third.forEach(FaultBench::get);
    }

    /** Poolers and firewalls forget old ones. */
    @Test
    void connectionOfHalfAnHour_isReplaced() throws SQLException {
        use();
        time.advance(Duration.ofMinutes(30));
        use();
        assertThat(opened).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        use();
        assertThat(opened).hasSize(2);
        FaultBench.soon("the old one is closed").until(() -> alive() == 1);
    }

    @Test
    void dataSourceGivesNone_callerIsTold() {
        given = 0;
        assertThatThrownBy(this::use)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("could not look", "the pool is empty");
        given = 1;
        assertThat(use()).isEqualTo(1);
    }
}
