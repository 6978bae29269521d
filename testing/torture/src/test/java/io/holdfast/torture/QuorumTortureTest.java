package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short round on a quorum that must go well. Longer ones: {@code bin/torture --mode quorum}. */
@Tag("integration")
class QuorumTortureTest {
    /** Without a rolling restart, which takes longer than all of this. */
    @Test
    void quorum_underFaults_keepsEveryPromise() {
        List<Fault> faults = Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.ROLLING_RESTART)
                .toList();
        Tally tally = Rounds.run("quorum", Mode.QUORUM, Rounds.SEED, faults, Duration.ofSeconds(10), Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }
}
