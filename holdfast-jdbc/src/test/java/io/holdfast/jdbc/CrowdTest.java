package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.testing.databases.H2Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a crowd of one client at one name costs the database: no more for each hour, and for each turn, than a few. */
@Tag("integration")
@Timeout(120)
class CrowdTest {
    private static final int CROWD = 300;
    private static final LockOptions FIFO = LockOptions.defaults().fairness(Fairness.FIFO);

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    private final Semaphore standing = new Semaphore(0);
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private LockClient client;
    private Lease first;
    private final List<CompletableFuture<Void>> served = new ArrayList<>();

    @BeforeEach
    void hold() throws Exception {
        H2Database database = bench.open(H2Database.start());
        client = bench.client(JdbcLocks.builder(Spy.on(database::connect, this::count))
                .table(bench.table())
                .createTables()
                .requestTimeout(Duration.ofSeconds(10)));
        client.addListener(event -> {
            if (event instanceof LockEvent.Contended) {
                standing.release();
            }
        });
        first = client.lock("a", FIFO).acquire();
    }

    private void stand(int waiters) throws InterruptedException {
        for (int i = 0; i < waiters; i++) {
            served.add(
                    client.lock("a", FIFO).acquireAsync().toCompletableFuture().thenAccept(Lease::close));
        }
        assertThat(standing.tryAcquire(waiters, 60, TimeUnit.SECONDS)).isTrue();
    }

    /** The thread that looks after those who wait has a pace of its own. */
    private void count(String sql) {
        if (Thread.currentThread().getName().endsWith("-waiters")) {
            looks.incrementAndGet();
        } else if (sql.contains(bench.table() + "_lock")) {
            (sql.startsWith("UPDATE") || sql.startsWith("INSERT") || sql.contains("FINAL TABLE") ? writes : reads)
                    .incrementAndGet();
        }
    }

    @Test
    void crowdWaits_itsPlacesAreKeptByAFewWrites() throws Exception {
        stand(CROWD);
        reads.set(0);
        writes.set(0);
        FaultBench.passes(Duration.ofSeconds(7)); // longer than a place lasts
        assertThat(writes).as("of all places at once, every three seconds").hasValueBetween(2, 6);
        assertThat(reads).as("instead of one for each, every second").hasValueLessThan(CROWD);
        assertThat(client.inspector()
                        .find(io.holdfast.LockKind.LOCK, "a")
                        .orElseThrow()
                        .waiters())
                .hasSize(CROWD);
    }

    /** After an eighth of the time that they have waited, and no more often than every 2 ms. */
    @Test
    void fewWait_areLookedAfterTheMoreSeldomTheLonger() throws Exception {
        stand(2);
        FaultBench.passes(Duration.ofSeconds(2));
        assertThat(looks).as("8 in the first 16 ms, then a tenth less each").hasValueBetween(10, 100);
        looks.set(0);
        FaultBench.passes(Duration.ofSeconds(2));
        assertThat(looks).as("every 100 ms, give or take a fifth").hasValueBetween(4, 27);
    }

    @Test
    void crowdIsServed_eachTurnIsAFewTrips() throws Exception {
        stand(CROWD);
        reads.set(0);
        writes.set(0);
        first.close();
        for (CompletableFuture<Void> each : served) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(writes)
                .as("one to give back, one to keep what one was given")
                .hasValueLessThan(2 * CROWD + CROWD / 4);
        assertThat(reads).as("one before each of them").hasValueLessThan(3 * CROWD);
    }
}
