package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What the simulation has to see of the engine and no user may: looks only, changes nothing. Lives in the engine's package for
 * that reason alone.
 */
@NullMarked
public final class EnginePeek {
    private static final VarHandle HOLD = field(EngineLease.class, "hold", StoreGrant.class);
    private static final VarHandle CONTEXT = field(LockEngine.class, "context", EngineContext.class);
    private static final VarHandle ATTEMPTS = field(EngineContext.class, "attempts", ConcurrentHashMap.class);
    private static final VarHandle RETRIER = field(EngineContext.class, "retrier", ReleaseRetrier.class);
    private static final VarHandle DEBTS = field(ReleaseRetrier.class, "debts", ConcurrentHashMap.class);

    private EnginePeek() {}

    private static VarHandle field(Class<?> owner, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException renamed) {
            throw new IllegalStateException("the simulation looks at " + owner + "." + name, renamed);
        }
    }

    /** Starts a client under a name of the caller's choice, because a random one would change the order of hash maps. */
    public static LockClient start(String clientId, LockBackend backend, LockOptions options, EngineRuntime runtime) {
        return LockEngine.start(clientId, backend, options, runtime);
    }

    /** Claims on their way, waiters, watched holds and unsettled claims. */
    public static int leftovers(LockClient client) {
        return ((LockEngine) client).leftovers();
    }

    /** Whether the engine has a claim in mind: on its way, held, or being released until that is certain. */
    public static boolean knows(LockClient client, ClaimId claim) {
        EngineContext context = (EngineContext) CONTEXT.get((LockEngine) client);
        boolean[] held = {false};
        context.watchdog().forEach(hold -> held[0] |= hold.claim().id().equals(claim));
        return held[0]
                || ((Map<?, ?>) ATTEMPTS.get(context)).containsKey(claim)
                || ((Map<?, ?>) DEBTS.get((ReleaseRetrier) RETRIER.get(context))).containsKey(claim);
    }

    /** What {@link Lease#isValid()} would answer now. Asking the lease itself would make it notice a deadline that the watchdog overslept. */
    public static boolean isValid(Lease lease, TimeSource time) {
        EngineLease held = (EngineLease) lease;
        return isHeld(lease)
                && !hold(held).deadline().isPast(time)
                && (!held.hasEnd() || held.endNanos() - time.nanoTime() > 0);
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
        long nowNanos = time.nanoTime();
        long byStore = nowNanos - hold(held).deadline().nanos();
        return held.hasEnd() ? Math.max(byStore, nowNanos - held.endNanos()) : byStore;
    }

    /** The label of the request that a task of the engine works for, or null if it works for none. */
    public static @Nullable String label(Runnable task) {
        return task instanceof FutureWaiter waiter ? waiter.request.label() : null;
    }

    private static StoreGrant hold(EngineLease lease) {
        return (StoreGrant) HOLD.get(lease);
    }
}
