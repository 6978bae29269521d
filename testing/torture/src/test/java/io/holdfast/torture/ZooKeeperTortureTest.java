package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short round on an ensemble, and its control. Longer ones: {@code bin/torture --mode zookeeper}. */
@Tag("integration")
@Tag("full")
class ZooKeeperTortureTest {
    @Test
    void round_underFaults_keepsEveryPromise() {
        Tally tally = Rounds.run(
                "zookeeper",
                Mode.ZOOKEEPER,
                Rounds.SEED,
                List.of(Fault.values()),
                Duration.ofSeconds(40),
                Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }

    /** Each worker below a node of its own: nobody excludes anybody. */
    @Test
    void control_workersApart_isFound() {
        Tally tally = Rounds.run(
                "zookeeper-apart", Mode.ZOOKEEPER, Rounds.SEED, List.of(), Duration.ofSeconds(5), Sabotage.APART);
        assertThat(tally.violations()).isNotEmpty();
    }
}
