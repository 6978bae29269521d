package io.holdfast.spring.boot;

import io.holdfast.LockKind;
import io.holdfast.micrometer.LockMeters;
import io.holdfast.spring.Locked;
import io.holdfast.spring.LockedCall;
import io.holdfast.spring.LockedObserver;
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
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().equals(STALE)) {
                counting.fenceRefused(kind(call.kind()), name);
                return;
            }
        }
    }

    private static LockKind kind(Locked.Kind kind) {
        return switch (kind) {
            case LOCK -> LockKind.LOCK;
            case READ, WRITE -> LockKind.READ_WRITE;
            case PERMIT -> LockKind.SEMAPHORE;
        };
    }
}
