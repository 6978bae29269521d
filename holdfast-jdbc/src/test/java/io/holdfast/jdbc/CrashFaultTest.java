package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The database is killed under load, or stands still, and comes back: what it confirmed it still knows. */
@Tag("integration")
@Timeout(120)
class CrashFaultTest {
    private static final int ROUNDS = 2;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @Test
    void postgres_killedUnderLoad_isExclusiveAndGoesOn() throws Exception {
        assertSurvivesKills(bench, bench.open(PostgresServer.durable()));
    }

    @Test
    void mariaDb_killedUnderLoad_isExclusiveAndGoesOn() throws Exception {
        assertSurvivesKills(bench, bench.open(MariaDbServer.durable()));
    }

    static void assertSurvivesKills(FaultBench bench, DatabaseServer server) throws Exception {
        assertSurvivesKills(bench, server, server);
    }

    /**
     * The same where something stands between.
     *
     * @param server what clients connect to
     * @param killed what is killed
     */
    static void assertSurvivesKills(FaultBench bench, DatabaseServer server, DatabaseServer killed) throws Exception {
        LockClient keeper = bench.client(server);
        Lease kept = keeper.lock("kept", FaultBench.lease(60_000)).acquire();
        try (Load load = new Load()) {
            for (int i = 0; i < 2; i++) {
                LockClient client = bench.client(server);
                load.add(client, "busy", FaultBench.lease(1_000));
                load.add(client, "busy", FaultBench.lease(1_000));
            }
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitHolds(20);
                long before = load.troubles();
                killed.kill();
                FaultBench.soon("somebody is told").until(() -> load.troubles() > before);
                killed.restart();
                load.awaitHolds(20);
            }
            assertThat(load.violations()).isEmpty();
        }
        assertThat(kept.isValid()).as("a lease longer than the outage").isTrue();
        assertThat(bench.client(server).lock("kept").tryAcquire())
                .as("over two crashes")
                .isEmpty();
        kept.close();
        assertThat(keeper.lock("kept").tryAcquire()).isPresent();
    }

    @Test
    void postgres_standsStillForLongerThanALease_nextOneHasAGreaterToken() throws Exception {
        assertSurvivesStandstill(bench, bench.open(PostgresServer.start()));
    }

    @Test
    void mariaDb_standsStillForLongerThanALease_nextOneHasAGreaterToken() throws Exception {
        assertSurvivesStandstill(bench, bench.open(MariaDbServer.start()));
    }

    static void assertSurvivesStandstill(FaultBench bench, DatabaseServer server) {
        Lease lease = bench.client(server).lock("a", FaultBench.lease(1_000)).acquire();
        CompletableFuture<Lease> next = bench.client(server)
                .lock("a", FaultBench.lease(1_000).waitThroughOutages(FaultBench.PATIENCE))
                .acquireAsync();
        server.pause();
        FaultBench.get(lease.lost().toCompletableFuture());
        assertThat(next).isNotDone();
        server.resume();
        assertThat(FaultBench.get(next).token()).isGreaterThan(lease.token());
        assertThat(lease.isValid()).isFalse();
        FaultBench.get(next).close();
    }
}
