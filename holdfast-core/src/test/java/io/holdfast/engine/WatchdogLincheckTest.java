package io.holdfast.engine;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The watchdog's list under every interleaving: no grant is lost from it, and a forgotten one is never in it. */
@Tag("integration")
class WatchdogLincheckTest {

    /** A grant of 30 s that was given at zero. */
    static StoreGrant grant(EngineParts parts) {
        Resource resource = new Resource(LockKind.LOCK, "a", 1);
        Claim claim = Claim.builder(new ClaimId("client", 1), resource, Duration.ofSeconds(30))
                .tokens(16)
                .waits(true)
                .label("test")
                .build();
        Gate gate = new SoloGate(parts.gates, resource, null);
        return new StoreGrant(parts.runtime.time(), gate, claim, 1, 0, new Deadline(29_690_000_000L, 29_690));
    }

    public static class Registry {
        private final InlineRuntime runtime = new InlineRuntime();
        private final WatchList watched;
        private final StoreGrant grant;
        private volatile boolean forgotten;

        public Registry() {
            EngineParts parts = new EngineParts("client", new GrantingBackend(), runtime);
            watched = parts.watched;
            grant = grant(parts);
            watched.watch(grant);
            runtime.at(12_000_000_000L);
        }

        /** Its lease changed hands. */
        @Operation
        public void watch() {
            watched.watch(grant);
        }

        @Operation
        public void fire() {
            runtime.fire();
        }

        @Operation
        public void forget() {
            watched.forget(grant);
            forgotten = true;
        }

        @Validate
        public void check() {
            AtomicInteger found = new AtomicInteger();
            watched.forEach(each -> found.incrementAndGet());
            int expected = forgotten ? 0 : 1;
            if (found.get() != expected || watched.size() != expected) {
                throw new IllegalStateException("found " + found + ", forgotten " + forgotten);
            }
        }
    }

    @Test
    void watchForgetFire_everyInterleaving_registryIsRight() {
        Lincheck.options()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0)
                .check(Registry.class);
    }
}
