package io.holdfast.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits as a future. Steps run on the worker, one after another:
 *
 * <pre>
 * IDLE --signal--> RUNNING --step--> IDLE (and a timer for the next step)
 *                  RUNNING --signal--> AGAIN --step--> RUNNING
 * </pre>
 *
 * The lease is delivered on the callbacks' executor, because completing a future runs its user's code.
 */
final class FutureWaiter extends Waiter implements Runnable {
    private enum Run {
        IDLE,
        RUNNING,
        AGAIN
    }

    private final EngineContext context;
    private final CompletableFuture<@Nullable EngineLease> future;
    private final AtomicReference<Run> run = new AtomicReference<>(Run.IDLE);
    private @Nullable Runnable timer;

    private FutureWaiter(
            Gate gate, Request request, EngineContext context, CompletableFuture<@Nullable EngineLease> future) {
        super(gate, request);
        this.context = context;
        this.future = future;
    }

    /** Starts the wait. Completes with the lease, or with null when the time is up. */
    static CompletableFuture<@Nullable EngineLease> start(Gate gate, Request request, EngineContext context) {
        CompletableFuture<@Nullable EngineLease> future = new CompletableFuture<>();
        begin(gate, request, context, future);
        return future;
    }

    private static void begin(
            Gate gate, Request request, EngineContext context, CompletableFuture<@Nullable EngineLease> future) {
        FutureWaiter waiter = new FutureWaiter(gate, request, context, future);
        context.waits(waiter);
        gate.enter(waiter);
        waiter.signal();
        future.whenComplete((lease, failure) -> {
            if (!waiter.isFinished()) {
                waiter.abandon();
            }
        });
    }

    @Override
    void dismiss() {
        future.completeExceptionally(context.closedException());
    }

    @Override
    void signal() {
        Run before = run.getAndUpdate(state -> state == Run.IDLE ? Run.RUNNING : Run.AGAIN);
        if (before == Run.IDLE) {
            context.worker(gate.resource()).execute(this);
        }
    }

    @Override
    public void run() {
        if (timer != null) {
            timer.run();
            timer = null;
        }
        long waitNanos;
        try {
            do {
                run.set(Run.RUNNING);
                waitNanos = gate.step(this);
            } while (waitNanos != Gate.DONE && run.get() == Run.AGAIN);
        } catch (Throwable unexpected) {
            gate.leave(this);
            context.waitsNoMore(this);
            future.completeExceptionally(unexpected);
            throw unexpected;
        }
        if (waitNanos == Gate.DONE) {
            gate.leave(this);
            context.runtime().callbacks().execute(this::deliver);
            return;
        }
        if (waitNanos != Request.FOREVER) {
            timer = context.runtime().schedule(this::signal, waitNanos);
        }
        if (!run.compareAndSet(Run.RUNNING, Run.IDLE)) {
            context.worker(gate.resource()).execute(this);
        }
    }

    /** Only from here on closing need not wait for this one: the threads that deliver must live until then. */
    private void deliver() {
        context.waitsNoMore(this);
        EngineLease lease;
        try {
            lease = result();
        } catch (RuntimeException failure) {
            future.completeExceptionally(failure);
            return;
        }
        if (lease != null && !lease.isValid() && !future.isDone()) {
            begin(gate, request, context, future);
            return;
        }
        if (!future.complete(lease) && lease != null) {
            lease.close();
        }
    }
}
