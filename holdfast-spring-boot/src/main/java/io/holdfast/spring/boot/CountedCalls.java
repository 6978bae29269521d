package io.holdfast.spring.boot;

import io.holdfast.LockKind;
import io.holdfast.micrometer.LockMeters;
import io.holdfast.spring.Locked;
import io.holdfast.spring.LockedCall;
import io.holdfast.spring.LockedObserver;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts what no client knows of: calls that came too late for their transaction, and writes that a fence refused. */
final class CountedCalls implements LockedObserver {
    private static final String STALE = "io.holdfast.fence.StaleTokenException";

    private final Function<LockedCall, @Nullable LockMeters> meters;

    CountedCalls(Function<LockedCall, @Nullable LockMeters> meters) {
        this.meters = meters;
    }

    @Override
    public Observed started(LockedCall call) {
        return (outcome, failure) -> ended(call, outcome, failure);
    }

    private void ended(LockedCall call, Outcome outcome, @Nullable Throwable failure) {
        LockMeters counting = outcome == Outcome.LATE || failure != null ? meters.apply(call) : null;
        if (counting == null) {
            return;
        }
        String name = call.names().get(0);
        if (outcome == Outcome.LATE) {
            counting.lockedLate(kind(call.kind()), name);
        }
        if (isStale(failure, Collections.newSetFromMap(new IdentityHashMap<>()))) {
            counting.fenceRefused(kind(call.kind()), name);
        }
    }

    /** Looks inside a loss, too: whom the fence refuses has lost the lock, and may have heard of it by now. */
    private static boolean isStale(@Nullable Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return false;
        }
        return failure.getClass().getName().equals(STALE)
                || isStale(failure.getCause(), seen)
                || Arrays.stream(failure.getSuppressed()).anyMatch(each -> isStale(each, seen));
    }

    private static LockKind kind(Locked.Kind kind) {
        return switch (kind) {
            case LOCK -> LockKind.LOCK;
            case READ, WRITE -> LockKind.READ_WRITE;
            case PERMIT -> LockKind.SEMAPHORE;
        };
    }
}
