package io.holdfast;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The door to one store: an identity, one watchdog, and every kind of lock.
 *
 * <p><b>Guarantees.</b> Opening a lock asks the store nothing and can be done again and again: objects of the same name
 * share their state. {@link #close()} gives back what is held, fails all waiters with {@link IllegalStateException},
 * and leaves no thread behind.
 *
 * <p><b>Not guaranteed.</b> Two clients in one process know nothing of each other, as if in two processes.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads; one client per process and store is enough.
 *
 * <p><b>Interruption.</b> Opening does not block. {@link #close()} may wait some seconds for the store and for
 * callbacks; an interrupt does not shorten it and is set again.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for a name that is empty, longer than 512 bytes in UTF-8 or not
 * valid Unicode, and for a fixed lease that is longer than the store gives; {@link IllegalStateException} for a closed
 * client.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * try (LockClient locks = MemoryLocks.create()) {
 *     try (Lease lease = locks.lock("order:42").acquire()) {
 *         ship(lease.token());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public interface LockClient extends AutoCloseable {

    /**
     * Returns the identity of this client, new for every client, part of each of its claims.
     *
     * @return letters and digits
     */
    String id();

    /**
     * Returns this client with other default options, for a part of a program that holds its locks in its own way. It
     * is the same client: one identity, one watchdog, the same locks and listeners; closing either of them closes the
     * client. Asks the store nothing.
     *
     * @param options how locks are held for which nothing else is said
     * @return the same client with these defaults
     */
    LockClient withDefaults(LockOptions options);

    /**
     * Returns how locks are held for which nothing else is said: what to change when only one option should be another.
     *
     * @return the client's default options
     */
    LockOptions defaults();

    /**
     * Opens a lock with the client's default options.
     *
     * @param name what to lock, any Unicode up to 512 bytes in UTF-8
     * @return the lock
     */
    DistributedLock lock(String name);

    /**
     * Opens a lock.
     *
     * @param name what to lock
     * @param options how to hold it
     * @return the lock
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * Opens a read-write lock with the client's default options. It is independent of a lock of the same name.
     *
     * @param name what to lock
     * @return the pair of locks
     */
    DistributedReadWriteLock readWriteLock(String name);

    /**
     * Opens a read-write lock.
     *
     * @param name what to lock
     * @param options how to hold it
     * @return the pair of locks
     */
    DistributedReadWriteLock readWriteLock(String name, LockOptions options);

    /**
     * Opens a semaphore with the client's default options.
     *
     * @param name what to share
     * @param permits how many permits there are in all, at least one
     * @return the semaphore
     */
    DistributedSemaphore semaphore(String name, int permits);

    /**
     * Opens a semaphore.
     *
     * @param name what to share
     * @param permits how many permits there are in all, at least one
     * @param options how to hold permits
     * @return the semaphore
     */
    DistributedSemaphore semaphore(String name, int permits, LockOptions options);

    /**
     * Opens several locks as one, with the client's default options.
     *
     * @param names what to lock; a name given twice counts once
     * @return all of them as one lock
     */
    default MultiLock allOf(String... names) {
        return allOf(List.of(names));
    }

    /**
     * Opens several locks as one, with the client's default options.
     *
     * @param names what to lock; a name given twice counts once
     * @return all of them as one lock
     */
    MultiLock allOf(Collection<String> names);

    /**
     * Opens several locks as one.
     *
     * @param names what to lock; a name given twice counts once
     * @param options how to hold each of them
     * @return all of them as one lock
     */
    MultiLock allOf(Collection<String> names, LockOptions options);

    /**
     * Opens an election with the client's default options.
     *
     * @param name what is led
     * @return the election
     */
    LeaderElection election(String name);

    /**
     * Opens an election.
     *
     * @param name what is led
     * @param options how a term is held; candidates stand in one line whatever the fairness says
     * @return the election
     */
    LeaderElection election(String name, LockOptions options);

    /**
     * Opens a count-down latch.
     *
     * @param name what is waited for
     * @param count how many arrivals open it, at least one
     * @return the latch
     */
    DistributedLatch latch(String name, int count);

    /**
     * Tells how long a lock can be left taken with {@link Held#closeAfter}: to be asked when a program starts that
     * needs it. Asks the store nothing.
     *
     * @return the longest time; empty if the store cannot do it, because what a client holds ends with the client
     */
    Optional<Duration> longestCloseAfter();

    /**
     * Opens a view of everybody's locks in the store, for operators.
     *
     * @return the view
     */
    LockInspector inspector();

    /**
     * Adds a listener for every lock of this client.
     *
     * @param listener receives events from now on
     */
    void addListener(LockListener listener);

    /**
     * Removes a listener; does nothing when it is not there.
     *
     * @param listener receives no more events
     */
    void removeListener(LockListener listener);

    /** Gives back what is held, fails all waiters, and ends the client's threads. Closing twice does nothing. */
    @Override
    void close();
}
