package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Safety;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short round on PostgreSQL, in the profile full one on MariaDB. Longer ones: {@code bin/torture --mode jdbc}. */
@Tag("integration")
class JdbcTortureTest {
    private static final int FIRST_ON_MARIADB = 3;

    @Test
    void round_underFaults_keepsEveryPromise() {
        assertKept(Rounds.run(
                "jdbc", Mode.JDBC, Rounds.SEED, List.of(Fault.values()), Duration.ofSeconds(10), Sabotage.NONE));
    }

    @Test
    @Tag("full")
    void roundOnMariaDb_underFaults_keepsEveryPromise() {
        assertThat(JdbcSite.product(FIRST_ON_MARIADB)).isEqualTo("MariaDB");
        assertKept(Rounds.run(
                FIRST_ON_MARIADB,
                "jdbc-mariadb",
                Mode.JDBC,
                Safety.AVAILABLE,
                Rounds.SEED,
                List.of(Fault.values()),
                Duration.ofSeconds(60),
                Sabotage.NONE));
    }

    private static void assertKept(Tally tally) {
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }
}
