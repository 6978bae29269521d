package io.holdfast.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A check that cannot fail checks nothing: each defect that is put in on purpose must be seen, by the rule that is
 * there for it.
 */
@Tag("integration")
class SabotageTest {
    private static final long SEEDS = 400;

    private record Case(Sabotage sabotage, Profile profile, Rule rule) {}

    static List<Case> cases() {
        return List.of(
                new Case(Sabotage.NO_GUARD, Profile.RESTARTS, Rule.EXCLUSION),
                new Case(Sabotage.FAST_STORE, Profile.PAUSES, Rule.EXCLUSION),
                new Case(Sabotage.FAST_STORE, Profile.LOSSY, Rule.EXCLUSION),
                new Case(Sabotage.SLEEP_AND_SET_BACK, Profile.PAUSES, Rule.EXCLUSION),
                new Case(Sabotage.PUSH_COUNTS_FROM_ARRIVAL, Profile.PAUSES, Rule.EXCLUSION),
                new Case(Sabotage.PUSH_COUNTS_FROM_ARRIVAL, Profile.LOSSY, Rule.TOKEN_ORDER),
                new Case(Sabotage.LEFT_TOO_LONG, Profile.PAUSES, Rule.EXCLUSION),
                new Case(Sabotage.RENEWAL_LIES, Profile.CALM, Rule.EXCLUSION),
                new Case(Sabotage.OLD_TOKENS, Profile.CALM, Rule.TOKEN_ORDER),
                new Case(Sabotage.RELEASE_LIES, Profile.CALM, Rule.NO_ORPHAN),
                new Case(Sabotage.NEVER_SERVED, Profile.LOSSY, Rule.NOBODY_IS_STUCK),
                new Case(Sabotage.NOTHING_IS_GRANTED, Profile.CALM, Rule.NOBODY_IS_STUCK),
                new Case(Sabotage.OUTAGE_IS_BUSY, Profile.LOSSY, Rule.OUTAGE_IS_NOT_BUSY),
                new Case(Sabotage.SQUATTER, Profile.CALM, Rule.NOTHING_IS_LEFT),
                new Case(Sabotage.TOLD_TWICE, Profile.CALM, Rule.COUNTS),
                new Case(Sabotage.NOT_TOLD, Profile.CALM, Rule.COUNTS),
                new Case(Sabotage.RENEWAL_DENIED, Profile.CALM, Rule.AVAILABILITY),
                new Case(Sabotage.MISMATCHED, Profile.CALM, Rule.NO_SURPRISE),
                new Case(Sabotage.NO_TIMER, Profile.CALM, Rule.LOSS_IS_TOLD),
                new Case(Sabotage.ASKS_AGAIN, Profile.CALM, Rule.A_CLAIM_LIVES_ONCE),
                new Case(Sabotage.THIEF, Profile.CALM, Rule.LOST_IS_FINAL),
                new Case(Sabotage.ONE_AFTER_THE_OTHER, Profile.VIEWS, Rule.LOCKED_IS_HELD),
                new Case(Sabotage.LOSS_TOLD_AGAIN, Profile.VIEWS, Rule.LOSS_IS_TOLD_ONCE));
    }

    @BeforeAll
    static void hushTheEngine() {
        Campaign.hush();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void run_sabotaged_isSeen(Case each) {
        Set<Rule> seen = EnumSet.noneOf(Rule.class);
        for (long seed = 1; seed <= SEEDS && !seen.contains(each.rule); seed++) {
            Violation violation =
                    Simulation.run(seed, each.profile, each.sabotage, false).violation();
            if (violation != null) {
                seen.add(violation.rule());
            }
        }
        assertTrue(seen.contains(each.rule), () -> each + " was seen only as " + seen);
    }

    @Test
    void cases_together_coverEverySabotageAndEveryRule() {
        Set<Sabotage> sabotages = EnumSet.of(Sabotage.NONE);
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        cases().forEach(each -> {
            sabotages.add(each.sabotage);
            rules.add(each.rule);
        });
        assertEquals(EnumSet.allOf(Sabotage.class), sabotages);
        assertEquals(EnumSet.allOf(Rule.class), rules);
    }
}
