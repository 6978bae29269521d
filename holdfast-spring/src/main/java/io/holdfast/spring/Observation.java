package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All observers of one call as one. What they throw is logged. */
final class Observation {
    private static final System.Logger LOG = System.getLogger(Observation.class.getName());
    private static final Observation NONE = new Observation(List.of());

    private final List<LockedObserver.Observed> parts;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean inside;

    private Observation(List<LockedObserver.Observed> parts) {
        this.parts = parts;
    }

    static Observation start(List<LockedObserver> observers, LockedCall call) {
        if (observers.isEmpty()) {
            return NONE;
        }
        List<LockedObserver.Observed> parts = new ArrayList<>(observers.size());
        for (LockedObserver observer : observers) {
            guarded(() -> parts.add(observer.started(call)));
        }
        return new Observation(parts);
    }

    void acquired(List<Lease> leases) {
        if (parts.isEmpty()) {
            return;
        }
        inside = true;
        tell(part -> part.acquired(leases));
        for (Lease lease : leases) {
            lease.onAtRisk(() -> unlessEnded(LockedObserver.Observed::atRisk));
            lease.onLost(reason -> unlessEnded(part -> lost(part, reason)));
        }
    }

    private static void lost(LockedObserver.Observed part, LostReason reason) {
        part.lost(reason);
    }

    private void unlessEnded(Consumer<LockedObserver.Observed> what) {
        if (!ended.get()) {
            tell(what);
        }
    }

    LockedObserver.Scope open() {
        if (parts.isEmpty()) {
            return () -> {};
        }
        List<LockedObserver.Scope> scopes = new ArrayList<>(parts.size());
        tell(part -> scopes.add(0, part.open()));
        return () -> scopes.forEach(scope -> guarded(scope::close));
    }

    Map<Object, Object> reactorContext() {
        Map<Object, Object> all = new LinkedHashMap<>();
        tell(part -> all.putAll(part.reactorContext()));
        return all;
    }

    void ended(LockedObserver.Outcome outcome, @Nullable Throwable failure) {
        if (!parts.isEmpty() && ended.compareAndSet(false, true)) {
            tell(part -> part.ended(outcome, failure));
        }
    }

    /** The caller went away. If it has the lock, what it runs is still to end. */
    void cancelled() {
        if (!inside) {
            failed(new CancellationException());
        }
    }

    /** It did not come to the lock. */
    void failed(Throwable failure) {
        ended(outcome(failure), failure);
    }

    private static LockedObserver.Outcome outcome(Throwable failure) {
        if (failure instanceof LockedTooLateException) {
            return LockedObserver.Outcome.LATE;
        }
        return failure instanceof CancellationException
                ? LockedObserver.Outcome.CANCELLED
                : LockedObserver.Outcome.FAILED;
    }

    private void tell(Consumer<LockedObserver.Observed> what) {
        for (LockedObserver.Observed part : parts) {
            guarded(() -> what.accept(part));
        }
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException thrown) {
            LOG.log(System.Logger.Level.WARNING, "an observer of locks threw; the call goes on", thrown);
        }
    }
}
