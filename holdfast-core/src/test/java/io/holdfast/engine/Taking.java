package io.holdfast.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A way to take a lock of {@code java.util.concurrent}. */
interface Taking {
    boolean by(Lock lock) throws InterruptedException;

    /** Those that wait. */
    static List<Taking> waiting() {
        return List.of(
                lock -> {
                    lock.lock();
                    return true;
                },
                lock -> {
                    lock.lockInterruptibly();
                    return true;
                },
                lock -> lock.tryLock(60, TimeUnit.SECONDS));
    }
}
