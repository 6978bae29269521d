package io.holdfast;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that any number of processes share, in two styles: leases that are closed ({@link Acquirable}), and the
 * {@link Lock} that everybody knows.
 *
 * <p><b>Guarantees.</b> At most one valid holder (any number of readers for a read lock), as judged by each holder's
 * own deadline. In the {@code Lock} style the lock belongs to the thread and is re-entrant; a re-entry with the same
 * options costs no trip to the store unless the lease is fixed. Releasing never removes somebody else's lock.
 *
 * <p><b>Not guaranteed.</b> See {@link Lease}: only a fencing token protects against a holder that wakes up too late.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. The two styles do not mix: a lease does not re-enter, so
 * {@code acquire()} in a thread that holds the lock waits for that thread.
 *
 * <p><b>Interruption.</b> {@link #lockInterruptibly()} and the timed tries throw; {@link #lock()} sets the flag again.
 *
 * <p><b>Losing it.</b> A thread that lost the lock holds nothing, and is told once: by {@link #isHeldByCurrentThread()}
 * or {@link #holdCount()}, by a {@link LockLostException}, or by a callback of the lease. If it does not know yet, the
 * next way to lock it throws {@link LockLostException} and takes nothing: code inside a lost section must not believe
 * that it is protected. Once it knows, it locks anew as if it had never held it. Each {@link #unlock()} that it still
 * owes for the lost hold throws {@link LockLostException}, after those of any hold that it took since.
 *
 * <p><b>Re-entry.</b> A thread that enters again gets at least what it asks for, in each of the ways to lock. With a
 * renewed lease the hold is renewed from then on; with a fixed one at least nine tenths of it are left, if need be by
 * one trip to the store. Nothing shortens a hold, and the {@link LockOptions#maxHold()} of the first to enter stays.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be asked, {@link LockLostException} as said
 * above, {@link IllegalMonitorStateException} when a thread unlocks what it does not hold.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * lock.lock();
 * try {
 *     ship(order, lock.lease().token());
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface DistributedLock extends Lock, Acquirable<Lease> {

    /**
     * Returns the name that is locked.
     *
     * @return the name
     */
    String name();

    /**
     * Waits at most {@code wait}, as {@link #tryLock(long, TimeUnit)} does.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @return whether the thread now holds the lock
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean tryLock(Duration wait) throws InterruptedException;

    /**
     * Waits at most {@code wait} and takes the lock for a fixed time: nothing renews it.
     *
     * <p>In a thread that holds the lock already this is a re-entry; the lease is made to last at least {@code lease},
     * unless nine tenths of that are left.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @param lease how long to hold it at most
     * @return whether the thread now holds the lock
     * @throws IllegalArgumentException if no lease may be that long or that short
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * {@inheritDoc}
     *
     * @param time how long to wait; not positive means one try
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Tells whether the calling thread holds this lock through the {@link Lock} style, by its own clocks. A thread that
     * lost it has been told by this.
     *
     * @return whether it is held, and not past its deadline
     */
    boolean isHeldByCurrentThread();

    /**
     * Returns how often the calling thread holds the lock. A thread that lost it has been told by this.
     *
     * @return the number of holds, zero when it does not hold the lock, also when it was lost
     */
    int holdCount();

    /**
     * Returns the lease behind the calling thread's hold: its token, its time left, its loss. Closing it gives the lock
     * up, whatever the hold count.
     *
     * @return the lease; the lost one while the thread has not unlocked what it lost
     * @throws IllegalMonitorStateException if the calling thread neither holds the lock nor lost it
     */
    Lease lease();

    /**
     * Gives back one hold of the calling thread, and with the last one the lock.
     *
     * @throws IllegalStateException if the client was closed, which gave the lock back
     * @throws IllegalMonitorStateException if the calling thread does not hold it; the message says who does
     * @throws LockLostException if the lock was lost while the thread held it; that hold is given back all the same
     */
    @Override
    void unlock();

    /**
     * Not supported: a condition would need a second protocol between processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException(
                "a distributed lock has no conditions; wait for the event itself, or use LockClient.latch()");
    }
}
