package io.holdfast.engine;

import io.holdfast.GaveUpReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private final Acquisitions services;
    private final Gate gate;
    private final CompletableFuture<@Nullable EngineLease> future;
    private final AtomicReference<Run> run = new AtomicReference<>(Run.IDLE);
    private final AtomicBoolean endTold = new AtomicBoolean();
    private @Nullable Runnable timer;

    private FutureWaiter(
            Acquisitions services, Gate gate, Request request, CompletableFuture<@Nullable EngineLease> future) {
        super(request);
        this.services = services;
        this.gate = gate;
        this.future = future;
    }

    /** Starts the wait. Completes with the lease, or with null when the time is up. */
    static CompletableFuture<@Nullable EngineLease> start(Acquisitions services, Gate gate, Request request) {
        CompletableFuture<@Nullable EngineLease> future = new CompletableFuture<>();
        new FutureWaiter(services, gate, request, future).begin();
        return future;
    }

    private void begin() {
        services.waiting().add(this, gate);
        gate.enter(this);
        signal();
        future.whenComplete((lease, failure) -> {
            if (!isFinished()) {
                abandon();
            }
        });
    }

    @Override
    void dismiss() {
        tellEnd(services.life().closedException());
        future.completeExceptionally(services.life().closedException());
    }

    @Override
    void signal() {
        Run before = run.getAndUpdate(state -> state == Run.IDLE ? Run.RUNNING : Run.AGAIN);
        if (before == Run.IDLE) {
            step();
        }
    }

    private void step() {
        services.store().worker(gate.resource()).execute(this);
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
            services.waiting().remove(this);
            tellEnd(unexpected);
            future.completeExceptionally(unexpected);
            throw unexpected;
        }
        if (waitNanos == Gate.DONE) {
            gate.leave(this);
            services.runtime().callbacks().execute(this::deliver);
            return;
        }
        if (waitNanos != Request.FOREVER) {
            timer = services.runtime().schedule(this::signal, waitNanos);
        }
        if (!run.compareAndSet(Run.RUNNING, Run.IDLE)) {
            step();
        }
    }

    /** Only from here on closing need not wait for this one: the threads that deliver must live until then. */
    private void deliver() {
        services.waiting().remove(this);
        EngineLease lease;
        try {
            lease = result();
        } catch (RuntimeException failure) {
            tellEnd(failure);
            future.completeExceptionally(failure);
            return;
        }
        tellEnd(null);
        if (lease != null && !lease.isValid() && !future.isDone()) {
            new FutureWaiter(services, gate, request, future).begin();
            return;
        }
        if (!future.complete(lease) && lease != null) {
            lease.giveBack();
        }
    }

    /** Once: whoever closes the client may dismiss a waiter that is just being delivered. */
    private void tellEnd(@Nullable Throwable failure) {
        if (endTold.compareAndSet(false, true)) {
            gate.tellEnd(this, failure, GaveUpReason.CANCELLED);
        }
    }
}
