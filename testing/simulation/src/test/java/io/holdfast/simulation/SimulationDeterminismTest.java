package io.holdfast.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
class SimulationDeterminismTest {
    private static final long SEEDS = 40;
    private static final Executor OTHER_THREAD = task -> new Thread(task).start();

    @BeforeAll
    static void hushTheEngine() {
        Campaign.hush();
    }

    /** The second run is on another thread, where objects get other identity hash codes. */
    @ParameterizedTest
    @EnumSource(Profile.class)
    void run_sameSeedTwice_givesTheSameTrace(Profile profile) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long chosen = seed;
            String first = Simulation.run(chosen, profile, true).trace();
            String second = CompletableFuture.supplyAsync(() -> Simulation.run(chosen, profile, true), OTHER_THREAD)
                    .join()
                    .trace();
            assertFalse(first.isEmpty());
            assertEquals(first, second, () -> "seed " + chosen);
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void run_withAndWithoutTrace_isTheSameRun(Profile profile) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome traced = Simulation.run(seed, profile, true);
            Outcome silent = Simulation.run(seed, profile, false);
            assertEquals(traced.stats().toString(), silent.stats().toString());
            assertEquals(traced.violation(), silent.violation());
        }
    }

    @Test
    void run_otherSeed_givesAnotherTrace() {
        assertNotEquals(
                Simulation.run(1, Profile.CALM, true).trace(),
                Simulation.run(2, Profile.CALM, true).trace());
    }
}
