package io.holdfast.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.simulation.Stats.Ending;
import io.holdfast.simulation.Stats.Sharing;
import io.holdfast.simulation.Stats.View;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine on the memory store, under every mix of faults. {@code bin/simulate} runs as many seeds as there is time
 * for.
 */
@Tag("integration")
class EngineSimulationTest {
    private static final long SEEDS = 600;

    /** Of all wishes; a store that grants nothing is safe, too. */
    private static final double LEAST_SERVED = 0.4;

    @BeforeAll
    static void hushTheEngine() {
        Campaign.hush();
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void run_manySeeds_noRuleIsBroken(Profile profile) {
        Campaign campaign = new Campaign(profile).run(1, 1 + SEEDS, seed -> {});

        assertEquals(List.of(), campaign.bad().stream().map(Outcome::report).toList(), () -> explain(campaign));
        assertEquals(SEEDS, campaign.seeds());
        Stats total = campaign.total();
        assertTrue(
                total.endings(Ending.LEASED) > LEAST_SERVED * total.operations(),
                () -> "too few were served: " + total);
        Set<FaultKind> missing = expected(profile);
        missing.removeIf(kind -> total.faults(kind) > 0);
        assertEquals(Set.of(), missing, () -> "these faults never happened: " + total);
        for (Sharing how : Sharing.values()) {
            long least = profile.hasCrowds() ? 3 * SEEDS : 1;
            assertTrue(total.shared(how) >= least, () -> "too few shared what their client had: " + total);
        }
        Set<View> unseen = profile.hasViews() ? EnumSet.allOf(View.class) : EnumSet.noneOf(View.class);
        unseen.removeIf(what -> total.views(what) > 0);
        assertEquals(Set.of(), unseen, () -> "this never happened to a thread: " + total);
    }

    /** The whole story of the first seed that failed. */
    private static String explain(Campaign campaign) {
        Outcome first = campaign.bad().get(0);
        Outcome again = Simulation.run(first.seed(), first.profile(), true);
        return again.trace() + again.report();
    }

    private static Set<FaultKind> expected(Profile profile) {
        return switch (profile) {
            case CALM -> EnumSet.of(FaultKind.CANCEL);
            case LOSSY ->
                EnumSet.of(
                        FaultKind.CANCEL,
                        FaultKind.SLOW_CALL,
                        FaultKind.LOST_REQUEST,
                        FaultKind.LOST_REPLY,
                        FaultKind.LATE_REQUEST,
                        FaultKind.DUPLICATE_REQUEST,
                        FaultKind.REFUSAL,
                        FaultKind.HALF_RENEWED,
                        FaultKind.CUT_CALL,
                        FaultKind.PUSH_LOST,
                        FaultKind.PUSH_LATE,
                        FaultKind.PUSH_TWICE);
            case PAUSES ->
                EnumSet.of(
                        FaultKind.PAUSE,
                        FaultKind.STALL,
                        FaultKind.SUSPEND,
                        FaultKind.WALL_STEP,
                        FaultKind.STORE_STALL,
                        FaultKind.STORE_CLOCK_SET);
            case RESTARTS ->
                EnumSet.of(
                        FaultKind.STORE_DOWN,
                        FaultKind.STORE_RESTART,
                        FaultKind.STORE_FORGETS,
                        FaultKind.KILL,
                        FaultKind.CLOSE);
            case EVERYTHING, STORM, VIEWS, SHARING -> EnumSet.allOf(FaultKind.class);
        };
    }
}
