package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something that can be taken and is given back by closing what was received: every way of acquiring, in one place.
 *
 * <p><b>Guarantees.</b> "Somebody else has it" is a value (an empty {@link Optional}); trouble with the store is an exception,
 * never an empty answer. A bounded wait is one deadline for everything that happens inside. What was granted while the
 * caller gave up (timeout, interrupt, cancelled future) is passed on or given back, never leaked.
 *
 * <p><b>Not guaranteed.</b> Order among waiters, unless {@link Fairness#FIFO} was chosen.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads, platform or virtual. What is acquired belongs to whoever has
 * the reference, not to a thread.
 *
 * <p><b>Interruption.</b> Methods that declare {@link InterruptedException} throw it; the others set the flag again.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be reached or refuses, {@link IllegalStateException}
 * when the client is closed, before or during the wait, {@link IllegalArgumentException} for a wait that is negative or longer than a clock can
 * count.
 *
 * @param <L> what is received, {@link Lease} or {@link MultiLease}
 */
public interface Acquirable<L extends AutoCloseable> {

    /**
     * Tries once and does not wait for other holders.
     *
     * @return what was acquired, or empty when somebody else has it
     */
    Optional<L> tryAcquire();

    /**
     * Waits at most {@code wait}, all told.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @return what was acquired, or empty when the time is up
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is acquired then
     */
    Optional<L> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Waits as long as it takes. An interrupt does not end the wait; the thread's interrupt flag is set again on return.
     *
     * @return what was acquired
     */
    L acquire();

    /**
     * Waits as long as it takes or until the thread is interrupted.
     *
     * @return what was acquired
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is acquired then
     */
    L acquireInterruptibly() throws InterruptedException;

    /**
     * Waits without a thread. Cancelling the future leaves the line; a grant that races with the cancel is passed on.
     *
     * @return completes with what was acquired
     */
    CompletableFuture<L> acquireAsync();

    /**
     * Waits at most {@code wait} without a thread.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @return completes with what was acquired, or with empty when the time is up
     */
    CompletableFuture<Optional<L>> tryAcquireAsync(Duration wait);
}
