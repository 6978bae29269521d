package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Short rounds on one server that must go well, and one that must not. Longer ones: {@code bin/torture}. */
@Tag("integration")
class TortureTest {
    private static Tally run(String name, List<Fault> faults, Duration time, Sabotage sabotage) {
        return Rounds.run(name, Mode.SINGLE, Rounds.SEED, faults, time, sabotage);
    }

    @Test
    void round_underFaults_keepsEveryPromise() {
        Tally tally = run("faults", List.of(Fault.values()), Duration.ofSeconds(10), Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }

    @Test
    void round_ofWorkersThatShareNoLock_isFoundOut() {
        Tally tally = run("apart", List.of(), Duration.ofSeconds(3), Sabotage.APART);
        assertThat(tally.violations()).anyMatch(violation -> violation.contains(Rule.EXCLUSION.toString()));
        assertThat(tally.lostWithoutFence()).isPositive();
    }
}
