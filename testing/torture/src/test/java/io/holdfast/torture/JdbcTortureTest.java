package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short round on PostgreSQL. Longer ones, and MariaDB: {@code bin/torture --mode jdbc}. */
@Tag("integration")
class JdbcTortureTest {
    @Test
    void round_underFaults_keepsEveryPromise() {
        Tally tally = Rounds.run(
                "jdbc", Mode.JDBC, Rounds.SEED, List.of(Fault.values()), Duration.ofSeconds(10), Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }
}
