package io.holdfast.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Whether one client is open, and how many of its callers are talking to the store: closing waits for them. */
final class ClientLife {
    private final String clientId;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Callers between their first and their last request to the store. */
    private final LongAdder callers = new LongAdder();

    ClientLife(String clientId) {
        this.clientId = clientId;
    }

    String clientId() {
        return clientId;
    }

    /** True the first time. */
    boolean close() {
        return closed.compareAndSet(false, true);
    }

    boolean isClosed() {
        return closed.get();
    }

    void ensureOpen() {
        if (isClosed()) {
            throw closedException();
        }
    }

    /** A new exception each time, because each goes to another caller. */
    IllegalStateException closedException() {
        return new IllegalStateException("lock client " + clientId + " is closed; open a new one");
    }

    /** A caller begins to talk to the store; {@link #done} must follow. */
    void begin() {
        callers.increment();
        if (isClosed()) {
            callers.decrement();
            throw closedException();
        }
    }

    /** As {@link #begin}, for what must be finished even while the client is closing. */
    void beginLast() {
        callers.increment();
    }

    void done() {
        callers.decrement();
    }

    boolean nobodyCalls() {
        return callers.sum() == 0;
    }
}
