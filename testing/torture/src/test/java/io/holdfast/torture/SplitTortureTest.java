package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Safety;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A master that is parted from its replicas while both sides live: what is guarded holds, and what is not shows that
 * the fault is one.
 */
@Tag("integration")
@Tag("full")
class SplitTortureTest {
    private static final long MOST_ROUNDS = 10;
    private static final Duration TIME = Duration.ofSeconds(20);

    private static Tally run(Mode mode, Safety safety, long seed, Fault... faults) {
        String name = "split-" + mode + "-" + safety;
        return Rounds.run(name, mode, safety, seed, List.of(faults), TIME, Sabotage.NONE);
    }

    @ParameterizedTest
    @EnumSource(names = {"SENTINEL", "CLUSTER"})
    void partition_strict_lockIsHeldByOne(Mode mode) {
        Tally tally = run(mode, Safety.STRICT, Rounds.SEED, Fault.PARTITION, Fault.SILENT_DEATH);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
    }

    /** The control: without the guard the same fault lets two in, within some rounds. */
    @Test
    void partition_available_letsTwoInAsDocumented() {
        long broken = 0;
        for (long seed = 1; seed <= MOST_ROUNDS && broken == 0; seed++) {
            Tally tally = run(Mode.SENTINEL, Safety.AVAILABLE, seed, Fault.PARTITION);
            assertThat(tally.violations()).isEmpty();
            broken = tally.documented().getOrDefault(Rule.EXCLUSION, 0L);
        }
        assertThat(broken).isPositive();
    }
}
