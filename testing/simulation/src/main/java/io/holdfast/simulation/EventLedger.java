package io.holdfast.simulation;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a client tells of its leases: each is acquired once, and is either released once or lost once. An end may
 * be told before its beginning: the watchdog does not wait for a listener that has not been called yet.
 */
final class EventLedger implements LockListener {
    private record Key(String name, long token) {}

    /** What was told of one lease. */
    private static final class Told {
        private @Nullable LockEvent beginning;
        private @Nullable LockEvent end;
    }

    private final SimWorld world;
    private final Stats stats;
    private final String client;
    private final Map<Key, Told> leases = new LinkedHashMap<>();

    EventLedger(SimWorld world, Stats stats, String client) {
        this.world = world;
        this.stats = stats;
        this.client = client;
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired) {
            Told told = told(acquired, acquired.token());
            checkFirst(told.beginning, acquired);
            told.beginning = acquired;
        } else if (event instanceof LockEvent.Released released) {
            end(released, released.token());
        } else if (event instanceof LockEvent.Lost lost) {
            stats.lost(lost.reason());
            end(lost, lost.token());
        }
    }

    private void end(LockEvent event, long token) {
        Told told = told(event, token);
        checkFirst(told.end, event);
        told.end = event;
        if (told.beginning == null) {
            stats.endedEarly();
        }
    }

    private Told told(LockEvent event, long token) {
        return leases.computeIfAbsent(new Key(event.name(), token), fresh -> new Told());
    }

    private void checkFirst(@Nullable LockEvent before, LockEvent event) {
        if (before != null) {
            world.violated(Rule.COUNTS, client + " told " + before + " and then " + event);
        }
    }

    /** Everything that has a beginning has an end, and the other way round. */
    void checkEnds() {
        leases.forEach((lease, told) -> {
            if (told.beginning == null || told.end == null) {
                world.violated(Rule.COUNTS, client + " told only " + (told.end == null ? told.beginning : told.end));
            }
        });
    }
}
