package io.holdfast.engine;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The leases of one client that are being given back in the background. Each of these futures comes to an end, also if
 * the client is closed while no thread is free for it. Users' code runs where callbacks do: a worker that waits for it
 * would be missed by those that the code waits for.
 */
final class Closings {
    private static final class Closing extends CompletableFuture<Void> {
        private volatile boolean released;
    }

    private final ClientLife life;
    private final Executor callbacks;
    private final Set<Closing> pending = ConcurrentHashMap.newKeySet();

    Closings(ClientLife life, Executor callbacks) {
        this.life = life;
        this.callbacks = callbacks;
    }

    CompletableFuture<Void> start(Executor worker, Runnable release) {
        Closing closing = new Closing();
        pending.add(closing);
        worker.execute(() -> {
            release.run();
            closing.released = true;
            callbacks.execute(() -> end(closing));
        });
        if (life.isClosed()) { // its threads may have ended
            release.run();
            closing.released = true;
            end(closing);
        }
        return closing;
    }

    private void end(Closing closing) {
        pending.remove(closing);
        if (closing.released) {
            closing.complete(null);
        } else {
            closing.completeExceptionally(new IllegalStateException("lock client " + life.clientId()
                    + " was closed before a lease of it was released; the lease ends by itself when its time is up"));
        }
    }

    int size() {
        return pending.size();
    }

    /** Ends what is left when the client's threads have ended. */
    void endRest() {
        pending.forEach(this::end);
    }
}
