package io.holdfast.engine;

import org.jspecify.annotations.Nullable;

/**
 * A caller that waits by parking its own thread.
 *
 * <p>A store's client, a listener or a mutex may park inside a step and use up the permit of a signal. That loses nothing: after the last of them
 * a step looks at everything a signal can mean once more.
 */
final class ThreadWaiter extends Waiter {
    private final EngineContext context;
    private final Thread thread = Thread.currentThread();

    ThreadWaiter(Gate gate, Request request, EngineContext context) {
        super(gate, request);
        this.context = context;
    }

    @Override
    void signal() {
        context.runtime().unpark(thread);
    }

    /** Runs the wait loop to its end. An interrupt ends it if {@code interruptibly}; otherwise it is restored afterwards. */
    @Nullable
    EngineLease await(boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + gate);
        }
        boolean interrupted = false;
        context.begin();
        try {
            gate.enter(this);
            while (true) {
                long waitNanos = gate.step(this);
                if (waitNanos == Gate.DONE) {
                    break;
                }
                context.runtime().park(gate, waitNanos);
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
        } finally {
            gate.leave(this);
            context.waitsNoMore(this);
            context.done();
            if (interrupted) {
                thread.interrupt();
            }
        }
    }
}
