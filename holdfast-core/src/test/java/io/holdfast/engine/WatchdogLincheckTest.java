package io.holdfast.engine;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** The watchdog's registry under every interleaving: no hold is lost from it, and a forgotten one is never in it. */
class WatchdogLincheckTest {
    static final InlineRuntime RUNTIME = new InlineRuntime();
    static final EngineContext CONTEXT = new EngineContext("client", new ScriptedBackend(TimeSource.system()), RUNTIME);
    static final Resource RESOURCE = new Resource(Kind.LOCK, "a", 1);
    static final Claim CLAIM =
            new Claim(new ClaimId("client", 1), RESOURCE, 1, Duration.ofSeconds(30), 16, true, "test");
    static final Deadline DEADLINE = new Deadline(29_690_000_000L, 29_690);
    static final Gate GATE = Gate.single(CONTEXT, RESOURCE, 1, null);

    public static class Registry {
        private final Watchdog watchdog = new Watchdog(CONTEXT);
        private final Hold hold = new Hold(CONTEXT, GATE, CLAIM, 1, 0, DEADLINE);

        public Registry() {
            RUNTIME.drop();
            watchdog.watch(hold);
            RUNTIME.at(12_000_000_000L);
        }

        @Operation(runOnce = true)
        public void forget() {
            watchdog.forget(hold);
        }

        @Operation(runOnce = true)
        public void fire() {
            RUNTIME.fire();
        }

        @Validate
        public void check() {
            int[] found = {0};
            watchdog.forEach(h -> found[0]++);
            if (found[0] != 0) {
                throw new IllegalStateException("found " + found[0]);
            }
        }
    }

    @Test
    void watchForgetFire_everyInterleaving_registryIsRight() {
        long t = System.nanoTime();
        try {
            new ModelCheckingOptions()
                    .iterations(1)
                    .invocationsPerIteration(Integer.getInteger("n", 2000))
                    .threads(2)
                    .actorsPerThread(1)
                    .actorsBefore(0)
                    .actorsAfter(0)
                    .check(Registry.class);
        } finally {
            System.out.println((System.nanoTime() - t) / 1000000 + " ms");
        }
    }
}
