package io.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Several locks taken together: all or none.
 *
 * <p><b>Guarantees.</b> The names are taken in one order everywhere, so two multi-locks cannot deadlock with each
 * other. When one of the names cannot be taken, those already taken are given back before the call returns. When one
 * ended while a later one was waited for, everything is given back and it starts over, as leases and as a {@link Lock}.
 *
 * <p><b>Not guaranteed.</b> The names are not taken in one instant: while the last is waited for, the first are held.
 *
 * <p><b>Threads, interruption, failures.</b> As for {@link DistributedLock}; the {@link Lock} style is re-entrant for
 * the thread. {@link #unlock()} in a thread that has nothing to unlock of one of the names throws {@link
 * IllegalMonitorStateException} and releases none. A name that the thread held before, and lost while another one was
 * waited for, is {@link LockLostException} from the way to lock.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (MultiLease both = locks.allOf("account:1", "account:2").acquire()) {
 *     transfer(both.token("account:1"), both.token("account:2"));
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface MultiLock extends Lock, Acquirable<MultiLease> {

    /**
     * Returns the names, each once, in the order in which they are taken.
     *
     * @return the names
     */
    List<String> names();

    /**
     * Waits at most {@code wait} for all of them, as {@link #tryLock(long, java.util.concurrent.TimeUnit)} does.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @return whether the thread now holds all of them
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean tryLock(Duration wait) throws InterruptedException;

    /**
     * Not supported, as for {@link DistributedLock#newCondition()}.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "a multi-lock has no conditions; wait for the event itself, or use LockClient.latch()");
    }
}
