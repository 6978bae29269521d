package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What the simulation has to see of the engine and no user may: looks only, changes nothing. Lives in the engine's
 * package for that reason alone.
 */
@NullMarked
public final class EnginePeek {
    private EnginePeek() {}

    /**
     * Starts a client under a name of the caller's choice, because a random one would change the order of hash maps.
     */
    public static LockClient start(String clientId, LockBackend backend, LockOptions options, EngineRuntime runtime) {
        return LockEngine.start(clientId, backend, options, runtime);
    }

    /** Claims on their way, waiters, watched grants and unsettled claims. */
    public static int leftovers(LockClient client) {
        return ((LockEngine) client).leftovers();
    }

    /** Whether the engine has a claim in mind: on its way, held, or being released until that is certain. */
    public static boolean knows(LockClient client, ClaimId claim) {
        EngineParts parts = ((LockEngine) client).parts;
        boolean[] held = {false};
        parts.watched.forEach(grant -> held[0] |= grant.claim().id().equals(claim));
        return held[0] || parts.attempts.find(claim) != null || parts.releases.knows(claim);
    }

    /**
     * What {@link Lease#isValid()} would answer now. Asking the lease would mark a loss that the watchdog overslept.
     */
    public static boolean isValid(Lease lease, TimeSource time) {
        return isHeld(lease)
                && overdueNanos(lease, time) < 0
                && !((EngineLease) lease).grant().deadline().isPast(time);
    }

    /** Whether somebody closed it: its user, or the engine. */
    public static boolean isClosed(Lease lease) {
        return ((EngineLease) lease).isClosed();
    }

    /** Neither closed nor told lost, whatever the clocks say. */
    public static boolean isHeld(Lease lease) {
        EngineLease held = (EngineLease) lease;
        return !held.isClosed() && !held.isLost();
    }

    /** By how much the monotonic clock has passed the deadline; negative before it. */
    public static long overdueNanos(Lease lease, TimeSource time) {
        EngineLease held = (EngineLease) lease;
        return time.nanoTime() - held.endNanos(held.grant().deadline().nanos());
    }

    /** The label of the request that a task of the engine works for, or null if it works for none. */
    public static @Nullable String label(Runnable task) {
        return task instanceof FutureWaiter waiter ? waiter.request.label() : null;
    }
}
