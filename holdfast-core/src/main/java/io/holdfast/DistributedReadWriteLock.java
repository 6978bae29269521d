package io.holdfast;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many readers or one writer hold, across processes.
 *
 * <p><b>Guarantees.</b> Readers and writers stand in one line, so a writer is not starved by readers that come later.
 * Every grant has a fencing token from one sequence for both sides.
 *
 * <p><b>Not guaranteed.</b> A reader cannot become a writer: every way of locking {@code writeLock()} in a thread that
 * holds only the read lock throws {@link IllegalMonitorStateException} instead of waiting for itself. A writer may take
 * the read lock; what it holds stays exclusive until both are given back.
 *
 * <p><b>Threads, interruption, failures.</b> As for {@link DistributedLock}.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (Lease reading = locks.readWriteLock("catalog").readLock().acquire()) {
 *     return catalog.read();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /**
     * Returns the name that is locked.
     *
     * @return the name
     */
    String name();

    @Override
    DistributedLock readLock();

    @Override
    DistributedLock writeLock();
}
