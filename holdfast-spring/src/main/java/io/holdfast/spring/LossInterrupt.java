package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts a thread when a lease is lost, only while the thread is inside, and leaves no flag behind.
 *
 * <p>Races: the loss comes on another thread while this one leaves. Both take the mutex; the second one does nothing.
 */
final class LossInterrupt {
    private final Thread thread = Thread.currentThread();
    private final ReentrantLock mutex = new ReentrantLock();
    private boolean inside = true;
    private boolean sent;

    LossInterrupt(List<Lease> leases) {
        leases.forEach(lease -> lease.onLost(reason -> interrupt()));
    }

    private void interrupt() {
        mutex.lock();
        try {
            if (inside) {
                sent = true;
                thread.interrupt();
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Called by the thread itself. */
    void leave() {
        mutex.lock();
        try {
            inside = false;
            if (sent) {
                Thread.interrupted();
            }
        } finally {
            mutex.unlock();
        }
    }
}
