package io.holdfast.torture;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers when the client told of its last losses. Thread-safe. */
final class LossLog implements LockListener {
    private static final int MOST = 1_000;

    private final Map<String, Long> lost = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    @Override
    public synchronized void on(LockEvent event) {
        if (event instanceof LockEvent.Lost gone) {
            lost.put(event.name() + " " + gone.token(), System.nanoTime());
        }
    }

    /** Was the loss of that lease told before then? */
    synchronized boolean wasTold(Subject subject, long token, long beforeNanos) {
        Long at = lost.get(subject.name() + " " + token);
        return at != null && at - beforeNanos < 0;
    }
}
