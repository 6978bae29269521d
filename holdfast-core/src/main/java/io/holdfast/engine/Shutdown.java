package io.holdfast.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Closes a client: candidacies end, waiters leave, leases go back, and then the store and the threads are closed. */
final class Shutdown {
    private static final long MOST_NANOS = 5_000 * Deadline.NANOS_PER_MILLI;
    private static final long STEP_NANOS = Deadline.NANOS_PER_MILLI;

    private final EngineParts parts;
    private final Set<EngineCandidacy> candidacies;

    Shutdown(EngineParts parts, Set<EngineCandidacy> candidacies) {
        this.parts = parts;
        this.candidacies = candidacies;
    }

    /** Every step is tried, whatever the others throw. Closing twice does nothing. */
    void run() {
        if (!parts.life.close()) {
            return;
        }
        parts.untold.close();
        parts.waiting.abandonAll();
        RuntimeException first = null;
        for (Runnable step : List.<Runnable>of(
                this::endCandidacies,
                () -> await(this::nobodyWaits, enoughTime()),
                () -> releaseAll(enoughTime()),
                parts.deadlocks::close,
                parts.store::close,
                parts.runtime::close,
                parts.waiting::dismissRest,
                parts.closings::endRest)) {
            first = attempted(step, first);
        }
        if (first != null) {
            throw first;
        }
    }

    /** Tells when a part of closing has taken long enough. */
    private BooleanSupplier enoughTime() {
        long startNanos = parts.runtime.time().nanoTime();
        return () -> parts.runtime.time().nanoTime() - startNanos > MOST_NANOS;
    }

    private static @Nullable RuntimeException attempted(Runnable step, @Nullable RuntimeException first) {
        try {
            step.run();
            return first;
        } catch (RuntimeException failure) {
            if (first == null) {
                return failure;
            }
            first.addSuppressed(failure);
            return first;
        }
    }

    /** All of them together have as long as any other part of closing. */
    private void endCandidacies() {
        candidacies.forEach(EngineCandidacy::close);
        long startNanos = parts.runtime.time().nanoTime();
        candidacies.forEach(
                each -> each.awaitEnd(MOST_NANOS - (parts.runtime.time().nanoTime() - startNanos)));
    }

    private boolean nobodyWaits() {
        return parts.waiting.size() == 0 && parts.life.nobodyCalls();
    }

    /**
     * Callers that wait or ask leave by themselves, each in its own thread; the store must stay open until they have.
     */
    private void await(BooleanSupplier done, BooleanSupplier timeIsUp) {
        boolean interrupted = false;
        while (!done.getAsBoolean() && !timeIsUp.getAsBoolean()) {
            interrupted |= Thread.interrupted();
            parts.runtime.pause(STEP_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Releases on the workers, so that a store that does not answer costs its time once and not for each lease. A
     * renewal that ends meanwhile moves its grant in the order of the list, so one walk over it may miss some.
     */
    private void releaseAll(BooleanSupplier timeIsUp) {
        Set<CurrentLease> seen = new HashSet<>();
        await(
                () -> {
                    parts.watched.forEach(grant -> release(grant, seen));
                    return parts.watched.size() == 0 && parts.life.nobodyCalls();
                },
                timeIsUp);
        parts.releases.close(timeIsUp);
    }

    private void release(StoreGrant grant, Set<CurrentLease> seen) {
        for (CurrentLease lease : grant.leases()) {
            if (seen.add(lease)) {
                parts.store.worker(grant.claim().resource()).execute(lease::giveBack);
            }
        }
    }
}
