package io.holdfast;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be taken and is given back by closing what was received: every way of acquiring, in one place.
 *
 * <p><b>Guarantees.</b> "Somebody else has it" is a value (an empty {@link Optional}); trouble with the store is an
 * exception, never an empty answer. A bounded wait is one deadline for everything that happens inside. What was granted
 * while the caller gave up (timeout, interrupt, cancelled future) is passed on or given back, never leaked.
 *
 * <p><b>Not guaranteed.</b> Order among waiters, unless {@link Fairness#FIFO} was chosen.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads, platform or virtual. What is acquired belongs to whoever
 * has the reference, not to a thread.
 *
 * <p><b>Interruption.</b> Methods that declare {@link InterruptedException} throw it; the others set the flag again.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be reached or refuses, {@link
 * IllegalStateException} when the client is closed, before or during the wait, {@link IllegalArgumentException} for a
 * wait that is negative or longer than a clock can count.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * locks.lock("order:42").run(lease -> ship(order, lease.token()));
 * }</pre>
 *
 * @param <L> what is received, {@link Lease} or {@link MultiLease}
 * @since 0.1
 */
public interface Acquirable<L extends Held> {

    /**
     * Work to do while something is held, usually a lambda.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @param <L> what is held
     * @param <X> what the work may throw
     * @since 0.1
     */
    @FunctionalInterface
    interface Work<L extends Held, X extends Exception> {

        /**
         * Does the work.
         *
         * @param held what is held meanwhile; it is closed when the work has ended
         * @throws X if the work fails
         */
        void run(L held) throws X;
    }

    /**
     * Work with a result, usually a lambda.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @param <L> what is held
     * @param <T> the result
     * @param <X> what the work may throw
     * @since 0.1
     */
    @FunctionalInterface
    interface Task<L extends Held, T extends @Nullable Object, X extends Exception> {

        /**
         * Does the work.
         *
         * @param held what is held meanwhile; it is closed when the work has ended
         * @return the result
         * @throws X if the work fails
         */
        T call(L held) throws X;
    }

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
     * Waits as long as it takes. An interrupt does not end the wait; the thread's interrupt flag is set again on
     * return.
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

    /**
     * Waits as long as it takes, as {@link #acquire()} does, works, and gives back. What the work throws passes.
     *
     * @param work what to do while it is held
     * @param <X> what the work may throw
     * @throws X if the work fails
     * @throws LockLostException if it was lost before the work had ended, so that others may have worked at the same
     *     time
     * @throws IllegalStateException if the client was closed before the work had ended, or the work closed what it was
     *     given
     */
    default <X extends Exception> void run(Work<? super L, X> work) throws X {
        Objects.requireNonNull(work, "work");
        try (L held = acquire()) {
            work.run(held);
            held.ensureValid();
        }
    }

    /**
     * Waits as long as it takes, as {@link #acquire()} does, works, gives back, and returns what the work returned.
     * What the work throws passes.
     *
     * @param task what to do while it is held
     * @param <T> the result
     * @param <X> what the work may throw
     * @return the result of the work
     * @throws X if the work fails
     * @throws LockLostException if it was lost before the work had ended, so that others may have worked at the same
     *     time
     * @throws IllegalStateException if the client was closed before the work had ended, or the work closed what it was
     *     given
     */
    default <T extends @Nullable Object, X extends Exception> T call(Task<? super L, T, X> task) throws X {
        Objects.requireNonNull(task, "task");
        try (L held = acquire()) {
            T result = task.call(held);
            held.ensureValid();
            return result;
        }
    }

    /**
     * Waits at most {@code wait}, as {@link #tryAcquire(Duration)} does, works, and gives back. What the work throws
     * passes.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @param work what to do while it is held
     * @param <X> what the work may throw
     * @return whether the work was done; false when the time was up before
     * @throws X if the work fails
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is done then
     * @throws LockLostException if it was lost before the work had ended, so that others may have worked at the same
     *     time
     * @throws IllegalStateException if the client was closed before the work had ended, or the work closed what it was
     *     given
     */
    default <X extends Exception> boolean tryRun(Duration wait, Work<? super L, X> work)
            throws X, InterruptedException {
        Objects.requireNonNull(work, "work");
        return tryCall(wait, held -> {
                    work.run(held);
                    return Boolean.TRUE;
                })
                .isPresent();
    }

    /**
     * Waits at most {@code wait}, as {@link #tryAcquire(Duration)} does, works, gives back, and returns what the work
     * returned. What the work throws passes.
     *
     * @param wait how long to wait; zero means one try, a negative time is refused
     * @param task what to do while it is held; its result must not be null
     * @param <T> the result
     * @param <X> what the work may throw
     * @return the result of the work, or empty when the time was up before
     * @throws X if the work fails
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing is done then
     * @throws LockLostException if it was lost before the work had ended, so that others may have worked at the same
     *     time
     * @throws IllegalStateException if the client was closed before the work had ended, or the work closed what it was
     *     given
     */
    default <T, X extends Exception> Optional<T> tryCall(Duration wait, Task<? super L, T, X> task)
            throws X, InterruptedException {
        Objects.requireNonNull(task, "task");
        Optional<L> acquired = tryAcquire(wait);
        if (acquired.isEmpty()) {
            return Optional.empty();
        }
        try (L held = acquired.get()) {
            T result = Objects.requireNonNull(task.call(held), "the result of the work; use tryRun if there is none");
            held.ensureValid();
            return Optional.of(result);
        }
    }
}
