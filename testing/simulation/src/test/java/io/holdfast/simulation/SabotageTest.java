package io.holdfast.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check that cannot fail checks nothing: each defect that is put in on purpose must be seen, by the rule that is there for it. */
class SabotageTest {
    private static final long SEEDS = 400;

    @BeforeAll
    static void hushTheEngine() {
        Campaign.hush();
    }

    @ParameterizedTest
    @CsvSource({
        "NO_GUARD, RESTARTS, EXCLUSION",
        "FAST_STORE, PAUSES, EXCLUSION",
        "FAST_STORE, LOSSY, EXCLUSION",
        "SLEEP_AND_SET_BACK, PAUSES, EXCLUSION",
        "PUSH_COUNTS_FROM_ARRIVAL, PAUSES, EXCLUSION",
        "PUSH_COUNTS_FROM_ARRIVAL, LOSSY, EXCLUSION",
        "LEFT_TOO_LONG, PAUSES, EXCLUSION",
        "RENEWAL_LIES, CALM, EXCLUSION",
        "OLD_TOKENS, CALM, TOKEN_ORDER",
        "RELEASE_LIES, CALM, NO_ORPHAN",
        "NEVER_SERVED, LOSSY, NOBODY_IS_STUCK",
        "OUTAGE_IS_BUSY, LOSSY, OUTAGE_IS_NOT_BUSY",
        "NOTHING_IS_GRANTED, CALM, NOBODY_IS_STUCK",
        "SQUATTER, CALM, NOTHING_IS_LEFT",
        "TOLD_TWICE, CALM, COUNTS",
        "NOT_TOLD, CALM, COUNTS",
        "RENEWAL_DENIED, CALM, AVAILABILITY",
        "MISMATCHED, CALM, NO_SURPRISE",
        "NO_TIMER, CALM, LOSS_IS_TOLD",
        "THIEF, CALM, LOST_IS_FINAL",
    })
    void run_sabotaged_isSeen(Sabotage sabotage, Profile profile, Rule rule) {
        Set<Rule> seen = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS && !seen.contains(rule); seed++) {
            Violation violation = Simulation.run(seed, profile, sabotage, false).violation();
            if (violation != null) {
                seen.add(violation.rule());
            }
        }
        assertTrue(seen.contains(rule), () -> sabotage + " broke only " + seen);
    }
}
