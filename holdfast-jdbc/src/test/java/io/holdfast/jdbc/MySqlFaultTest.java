package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.Finding;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.databases.MySqlServer;
import io.holdfast.testing.redis.ClockShim;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks on MySQL itself, with its own driver. */
@Tag("integration")
@Tag("full")
@Timeout(120)
class MySqlFaultTest {
    @AutoClose
    private static MySqlServer server;

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @BeforeAll
    static void start() throws SQLException {
        server = MySqlServer.newest();
    }

    @Test
    void killedUnderLoad_isExclusiveAndGoesOn() throws Exception {
        CrashFaultTest.assertSurvivesKills(bench, bench.open(MySqlServer.durable()));
    }

    @Test
    void standsStillForLongerThanALease_nextOneHasAGreaterToken() {
        CrashFaultTest.assertSurvivesStandstill(bench, server);
    }

    @Test
    void examine_nothingIsWrong() {
        bench.client(server);
        assertThat(bench.builder(server).examine())
                .filteredOn(finding -> finding.level() == Finding.Level.FAIL)
                .isEmpty();
    }

    /** The token of a free lock comes back as the generated key of an update, whatever the driver does with it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "useServerPrepStmts=false",
                "useServerPrepStmts=true&cachePrepStmts=true",
                "useAffectedRows=true",
                "rewriteBatchedStatements=true",
                "useLocalSessionState=true",
                "allowMultiQueries=true"
            })
    void optionsOfTheDriver_tokensGrow(String options) {
        LockClient client = bench.client(bench.builder(() -> server.connect(options)));
        long last = 0;
        for (int i = 0; i < 10; i++) {
            try (Lease lease = client.lock("a").acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
                last = lease.token();
            }
        }
        Lease lease = client.lock("a").acquire();
        CompletableFuture<Lease> next = bench.client(bench.builder(() -> server.connect(options)))
                .lock("a")
                .acquireAsync();
        lease.close();
        assertThat(FaultBench.get(next).token()).isGreaterThan(lease.token());
    }

    @Test
    void rowIsLockedBySomebody_callerIsToldOrServed() throws Exception {
        LockClient client = bench.client(server);
        client.lock("a").acquire().close();
        try (Connection somebody = server.connect()) {
            somebody.setAutoCommit(false);
            somebody.createStatement().execute("SELECT * FROM " + bench.table() + "_lock FOR UPDATE");
            assertThat(FaultBench.async(() -> client.lock("a").tryAcquire(Duration.ofSeconds(1))))
                    .failsWithin(Duration.ofSeconds(20));
            somebody.rollback();
        }
        client.lock("a").acquire().close();
    }

    /** The hour that local time has twice, and the one that it does not have. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-10-25T00:59:59Z", "2027-03-28T00:59:59Z"})
    void localTimeJumps_leasesGoOn(String before) throws Exception {
        MySqlServer berlin = bench.open(MySqlServer.inZone("CET-1CEST,M3.5.0,M10.5.0/3"));
        ClockShim clock = new ClockShim();
        clock.attach(berlin.pid());
        clock.step(Duration.between(Instant.now(), Instant.parse(before)));
        Lease lease = bench.client(berlin).lock("a", FaultBench.lease(1_000)).acquire();
        CompletableFuture<Lease> next =
                bench.client(berlin).lock("a", FaultBench.lease(1_000)).acquireAsync();
        assertTokensFollow(clock, berlin);
        FaultBench.passes(Duration.ofSeconds(3));
        assertTokensFollow(clock, berlin);
        assertThat(lease.isValid()).as("renewed over the change").isTrue();
        assertThat(next).isNotDone();
        lease.close();
        assertThat(FaultBench.get(next).token()).isGreaterThan(lease.token());
        clock.reset();
    }

    /** A token of a new name is the database's clock in microseconds: an hour off would be seen here. */
    private void assertTokensFollow(ClockShim clock, MySqlServer berlin) {
        long token = bench.client(berlin)
                .lock(UUID.randomUUID().toString())
                .acquire()
                .token();
        assertThat(Instant.EPOCH.plus(token, ChronoUnit.MICROS))
                .isCloseTo(Instant.now().plus(clock.offset()), within(1, ChronoUnit.MINUTES));
    }
}
