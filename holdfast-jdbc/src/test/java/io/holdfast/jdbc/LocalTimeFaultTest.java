package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.Lease;
import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.redis.ClockShim;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local time of the server's machine jumps. MySQL's times are local ones: MySqlFaultTest does the same. */
@Tag("integration")
@Timeout(60)
class LocalTimeFaultTest {
    static final String BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3";

    @RegisterExtension
    final FaultBench bench = new FaultBench();

    /** The hour that local time has twice, and the one that it does not have. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-10-25T00:59:59Z", "2027-03-28T00:59:59Z"})
    void mariaDb_localTimeJumps_leasesGoOn(String before) throws Exception {
        assertLeasesGoOn(bench, bench.open(MariaDbServer.inZone(BERLIN)), before);
    }

    static void assertLeasesGoOn(FaultBench bench, DatabaseServer berlin, String before) {
        ClockShim clock = new ClockShim();
        clock.attach(berlin.pid());
        clock.step(Duration.between(Instant.now(), Instant.parse(before)));
        Lease lease = bench.client(berlin).lock("a", FaultBench.lease(6_000)).acquire();
        CompletableFuture<Lease> next =
                bench.client(berlin).lock("a", FaultBench.lease(1_000)).acquireAsync();
        assertTokensFollow(bench, clock, berlin);
        FaultBench.passes(Duration.ofSeconds(3));
        FaultBench.awaitRenewal(lease);
        assertTokensFollow(bench, clock, berlin);
        assertThat(lease.isValid()).as("renewed over the change").isTrue();
        assertThat(next).isNotDone();
        lease.close();
        assertThat(FaultBench.get(next).token()).isGreaterThan(lease.token());
        clock.reset();
    }

    /** A token of a new name is the database's clock in microseconds: an hour off would be seen here. */
    private static void assertTokensFollow(FaultBench bench, ClockShim clock, DatabaseServer berlin) {
        long token = bench.client(berlin)
                .lock(UUID.randomUUID().toString())
                .acquire()
                .token();
        assertThat(Instant.EPOCH.plus(token, ChronoUnit.MICROS))
                .isCloseTo(Instant.now().plus(clock.offset()), within(1, ChronoUnit.MINUTES));
    }
}
