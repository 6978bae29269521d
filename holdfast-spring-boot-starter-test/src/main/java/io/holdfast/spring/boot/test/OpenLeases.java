package io.holdfast.spring.boot.test;

import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import io.holdfast.LockStatus;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what the application has not given back yet: the store may keep more, for a least time. */
final class OpenLeases implements LockListener {
    private final Map<Lock, Integer> open = new ConcurrentHashMap<>();

    private record Lock(LockKind kind, String name) {}

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired) {
            count(event, 1);
        } else if (event instanceof LockEvent.Released || event instanceof LockEvent.Lost) {
            count(event, -1);
        }
    }

    private void count(LockEvent event, int change) {
        open.merge(new Lock(event.kind(), event.name()), change, Integer::sum);
    }

    boolean has(LockStatus lock) {
        return open.getOrDefault(new Lock(lock.kind(), lock.name()), 0) > 0;
    }
}
