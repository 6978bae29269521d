package io.holdfast.engine;

import io.holdfast.GaveUpReason;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits by parking its own thread.
 *
 * <p>A store's client, a listener or a mutex may park inside a step and use up the permit of a signal. That loses
 * nothing: after the last of them a step looks at everything a signal can mean once more.
 */
final class ThreadWaiter extends Waiter {
    private final Acquisitions services;
    private final Gate gate;
    private final Thread thread = Thread.currentThread();

    ThreadWaiter(Acquisitions services, Gate gate, Request request) {
        super(request);
        this.services = services;
        this.gate = gate;
    }

    @Override
    void signal() {
        services.runtime().unpark(thread);
    }

    /**
     * Runs the wait loop to its end. An interrupt ends it if {@code interruptibly}; otherwise it is restored
     * afterwards.
     */
    @Nullable
    EngineLease await(boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + gate);
        }
        boolean interrupted = false;
        Throwable failure = null;
        services.life().begin();
        try {
            gate.enter(this);
            for (long waitNanos = gate.step(this); waitNanos != Gate.DONE; waitNanos = gate.step(this)) {
                if (services.waiting().add(this, gate)) {
                    continue; // one more look, now that closing would wake it
                }
                services.runtime().park(gate, waitNanos);
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (interruptibly) {
                        abandon();
                    }
                }
            }
            EngineLease lease = result();
            if (lease == null && isAbandoned()) {
                interrupted = false;
                throw new InterruptedException("interrupted while waiting for " + gate);
            }
            return lease;
        } catch (RuntimeException | Error thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            gate.leave(this);
            gate.tellEnd(this, failure, GaveUpReason.INTERRUPTED);
            services.waiting().remove(this);
            services.life().done();
            if (interrupted) {
                thread.interrupt();
            }
        }
    }
}
