package io.holdfast.engine;

import io.holdfast.LostReason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the user of a lease wants to be told of. Made for the first wish: most leases come and go without one. */
record Wishes(CompletableFuture<LostReason> loss, List<Runnable> atRisk) {

    Wishes() {
        this(new CompletableFuture<>(), new CopyOnWriteArrayList<>());
    }
}
