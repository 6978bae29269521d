package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds on a quorum without one of its rules, which must not go well. */
@Tag("integration")
class QuorumSabotageTest {
    private static final long MOST_ROUNDS = 20;

    /** The one that decides must be hit. */
    @Test
    void quorum_ofWhichOneNodeDecides_isFoundOut() {
        assertFoundOut(Sabotage.ONE_VOTE, List.of(Fault.KILL));
    }

    /** Two nodes must be empty at a time, and somebody must ask then. */
    @Test
    @Tag("full")
    void quorum_ofNodesThatDoNotGuardThemselves_isFoundOut() {
        assertFoundOut(Sabotage.NO_GUARD, List.of(Fault.KILL_EMPTY, Fault.KILL_ROLLED_BACK, Fault.FLUSH, Fault.MIX));
    }

    /** That may take a few rounds: one may end with another rule that was broken first. */
    private static void assertFoundOut(Sabotage sabotage, List<Fault> faults) {
        List<String> violations = new ArrayList<>();
        for (long seed = 1; seed <= MOST_ROUNDS && violations.stream().noneMatch(QuorumSabotageTest::isTwo); seed++) {
            violations.addAll(
                    Rounds.run(sabotage.toString(), Mode.QUORUM, seed, faults, Duration.ofSeconds(12), sabotage)
                            .violations());
        }
        assertThat(violations).anyMatch(QuorumSabotageTest::isTwo);
    }

    private static boolean isTwo(String violation) {
        return violation.contains(Rule.EXCLUSION.toString());
    }
}
