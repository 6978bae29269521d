package io.holdfast.memory;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import java.time.Duration;

/**
 * Opens clients whose locks live in the memory of this process: for unit tests, and for programs that run alone today.
 *
 * <p><b>Guarantees.</b> All that {@link LockClient} promises, with the same engine that serves every other store.
 * Clients of one {@link MemoryStore} compete with each other as if each were a process of its own.
 *
 * <p><b>Not guaranteed.</b> Nothing reaches beyond this process, and nothing outlives it.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Each client has threads of its own until it is closed.
 *
 * <p><b>Failures.</b> None of its own: this store can always be reached.
 *
 * <pre>{@code
 * try (LockClient locks = MemoryLocks.create()) {
 *     new OrderService(locks).ship("order:42");
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class MemoryLocks {
    private MemoryLocks() {}

    /**
     * Opens a client alone on a store of its own.
     *
     * @return the client, to be closed
     */
    public static LockClient create() {
        return create(LockOptions.defaults());
    }

    /**
     * Opens a client alone on a store of its own.
     *
     * @param defaults how its locks are held when nothing else is said
     * @return the client, to be closed
     */
    public static LockClient create(LockOptions defaults) {
        return connect(new MemoryStore(), defaults);
    }

    /**
     * Opens one more client on a store.
     *
     * @param store the store, which outlives the client
     * @return the client, to be closed
     */
    public static LockClient connect(MemoryStore store) {
        return LockEngine.start(store.connect());
    }

    /**
     * Opens one more client on a store.
     *
     * @param store the store, which outlives the client
     * @param defaults how the client's locks are held when nothing else is said
     * @return the client, to be closed
     */
    public static LockClient connect(MemoryStore store, LockOptions defaults) {
        return LockEngine.start(store.connect(), defaults);
    }

    /**
     * Opens one more client on a store.
     *
     * @param store the store, which outlives the client
     * @param defaults how the client's locks are held when nothing else is said
     * @param deadlockDelay how long somebody waits before the client looks for a deadlock, and about how long it is
     *     from one look to the next; 250 ms to a minute, or zero to look for none
     * @return the client, to be closed
     */
    public static LockClient connect(MemoryStore store, LockOptions defaults, Duration deadlockDelay) {
        return LockEngine.start(store.connect(), defaults, LockEngine.checkedDeadlockDelay(deadlockDelay));
    }
}
