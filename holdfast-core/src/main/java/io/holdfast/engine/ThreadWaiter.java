package io.holdfast.engine;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A caller that waits by parking its own thread. */
final class ThreadWaiter extends Waiter {
    private final EngineContext context;
    private final Thread thread = Thread.currentThread();

    /** Set before every unpark: a store client may park inside a step and use the permit up. */
    private volatile boolean signalled;

    ThreadWaiter(Gate gate, Request request, EngineContext context) {
        super(gate, request);
        this.context = context;
    }

    @Override
    void signal() {
        signalled = true;
        LockSupport.unpark(thread);
    }

    /** Runs the wait loop to its end. An interrupt ends it if {@code interruptibly}; otherwise it is restored afterwards. */
    @Nullable
    HeldLease await(boolean interruptibly) throws InterruptedException {
        if (interruptibly && Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + gate);
        }
        boolean interrupted = false;
        context.begin();
        try {
            gate.enter(this);
            while (true) {
                signalled = false;
                long waitNanos = gate.step(this);
                if (waitNanos == Gate.DONE) {
                    break;
                }
                if (!signalled) {
                    LockSupport.parkNanos(gate, waitNanos);
                }
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (interruptibly) {
                        abandon();
                    }
                }
            }
            HeldLease lease = result();
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
