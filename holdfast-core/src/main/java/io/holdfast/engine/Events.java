package io.holdfast.engine;

import io.holdfast.GaveUpReason;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LostReason;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells listeners. Costs nothing without any, and is disturbed by none. */
final class Events {
    private record Slot(LockListener listener, AtomicBoolean complained) {}

    private final TimeSource time;
    private final Logger logger;
    private final List<Slot> slots = new CopyOnWriteArrayList<>();

    Events(TimeSource time, Logger logger) {
        this.time = time;
        this.logger = logger;
    }

    void add(LockListener listener) {
        slots.add(new Slot(listener, new AtomicBoolean()));
    }

    void remove(LockListener listener) {
        slots.removeIf(slot -> slot.listener.equals(listener));
    }

    void acquired(Lease lease, Request request, boolean contended) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Acquired.of(lease.kind(), lease.name(), lease.token(), waited(request), contended));
        }
    }

    /** The acquisition ended without a lease. Nothing is told of one that was {@link #acquired}. */
    void gaveUp(Resource resource, Request request, GaveUpReason why, boolean contended) {
        if (!slots.isEmpty()) {
            tell(LockEvent.GaveUp.of(resource.kind(), resource.name(), waited(request), why, contended));
        }
    }

    void failed(Resource resource, Request request, Throwable cause, boolean contended) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Failed.of(resource.kind(), resource.name(), waited(request), cause, contended));
        }
    }

    private Duration waited(Request request) {
        return Duration.ofNanos(time.nanoTime() - request.startedNanos());
    }

    void contended(Resource resource) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Contended.of(resource.kind(), resource.name()));
        }
    }

    void obstructed(Resource resource, Throwable cause) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Obstructed.of(resource.kind(), resource.name(), cause));
        }
    }

    void renewed(Lease lease) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Renewed.of(lease.kind(), lease.name(), lease.token(), lease.remaining()));
        }
    }

    void atRisk(Lease lease, Throwable cause) {
        if (!slots.isEmpty()) {
            tell(LockEvent.AtRisk.of(lease.kind(), lease.name(), lease.token(), lease.remaining(), cause));
        }
    }

    void lost(Lease lease, LostReason why) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Lost.of(lease.kind(), lease.name(), lease.token(), why));
        }
    }

    void released(Lease lease, Duration held) {
        if (!slots.isEmpty()) {
            tell(LockEvent.Released.of(lease.kind(), lease.name(), lease.token(), held));
        }
    }

    void tell(LockEvent event) {
        for (Slot slot : slots) {
            try {
                slot.listener.on(event);
            } catch (Throwable trouble) {
                if (slot.complained.compareAndSet(false, true)) {
                    logger.log(
                            Level.WARNING,
                            "listener " + slot.listener + " threw on " + event
                                    + "; further exceptions from it are not logged",
                            trouble);
                }
            }
        }
    }
}
