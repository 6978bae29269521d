package io.holdfast.spring;

import io.holdfast.DurationText;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock by hand, with the rules of {@link Locked} and without a proxy. Immutable; each method that
 * chooses a rule returns a changed copy.
 *
 * <p><b>Guarantees, not guaranteed, threads, interruption, failures.</b> Those of {@link Locked}: held until the
 * transaction has ended, not asked for again where it is held, an exception when it was lost.
 *
 * <pre>{@code
 * locks.run("order:42", () -> ship(order));
 * Receipt receipt = locks.waitFor(Duration.ofSeconds(2)).call("order:42", () -> ship(order));
 * }</pre>
 *
 * @since 0.1
 */
public class LockOperations {
    private final BlockingCalls calls;
    private final LockRules rules;

    LockOperations(BlockingCalls calls, LockRules rules) {
        this.calls = calls;
        this.rules = rules;
    }

    /**
     * Work to do under the lock, usually a lambda.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @param <X> what the work may throw
     * @since 0.1
     */
    @FunctionalInterface
    public interface Work<X extends Exception> {

        /**
         * Does the work.
         *
         * @throws X if the work fails
         */
        void run() throws X;
    }

    /**
     * Work with a result, usually a lambda.
     *
     * <p><b>Implementing.</b> For users: it will not get another abstract method.
     *
     * @param <T> the result
     * @param <X> what the work may throw
     * @since 0.1
     */
    @FunctionalInterface
    public interface Task<T extends @Nullable Object, X extends Exception> {

        /**
         * Does the work.
         *
         * @return the result
         * @throws X if the work fails
         */
        T call() throws X;
    }

    /**
     * Sets how long to wait.
     *
     * @param wait zero for one try
     * @return the changed copy
     * @throws IllegalArgumentException if it is negative
     */
    public LockOperations waitFor(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException(
                    "waitFor is " + DurationText.of(wait) + ", expected zero (one try) or more");
        }
        return with(rules.withWait(Optional.of(wait)));
    }

    /**
     * Waits as long as it takes.
     *
     * @return the changed copy
     */
    public LockOperations waitForever() {
        return with(rules.withWait(Optional.empty()));
    }

    /**
     * Changes how the lock is held, from what the client has by default.
     *
     * @param change such as {@code options -> options.lease(Duration.ofSeconds(10))}
     * @return the changed copy
     */
    public LockOperations options(UnaryOperator<LockOptions> change) {
        return with(rules.withOptions(change));
    }

    /**
     * Locks for reading, writing, or as a mutex.
     *
     * @param kind not {@link Locked.Kind#PERMIT}, which has a number: {@link #permits}
     * @return the changed copy
     * @throws IllegalArgumentException if it is {@link Locked.Kind#PERMIT}
     */
    public LockOperations kind(Locked.Kind kind) {
        if (kind == Locked.Kind.PERMIT) {
            throw new IllegalArgumentException(
                    "kind is PERMIT, expected LOCK, READ or WRITE; permits(…) says how many");
        }
        return with(rules.withKind(kind, 1));
    }

    /**
     * Takes one of a number of permits.
     *
     * @param permits how many there are in all, at least one
     * @return the changed copy
     * @throws IllegalArgumentException if it is less than one
     */
    public LockOperations permits(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits is " + permits + ", expected at least 1");
        }
        return with(rules.withKind(Locked.Kind.PERMIT, permits));
    }

    /**
     * Sets when the lock is given back.
     *
     * @param release after the transaction, unless said
     * @return the changed copy
     */
    public LockOperations release(Locked.Release release) {
        return with(rules.withRelease(release));
    }

    /**
     * Sets what happens when a transaction was there before.
     *
     * @param joining that of {@link LockedSettings}, unless said
     * @return the changed copy
     */
    public LockOperations joining(Joining joining) {
        return with(rules.withJoining(joining));
    }

    /**
     * Sets what happens when the lock is lost while the work is done.
     *
     * @param onLost an exception at the end, unless said
     * @return the changed copy
     */
    public LockOperations onLost(Locked.OnLost onLost) {
        return with(rules.withOnLost(onLost));
    }

    /**
     * Keeps the lock for a least time, counted from when it was acquired.
     *
     * @param time how long
     * @return the changed copy
     */
    public LockOperations atLeastFor(Duration time) {
        return with(rules.withAtLeastFor(time));
    }

    /**
     * Chooses the client.
     *
     * @param bean the name of a bean of type {@link io.holdfast.LockClient}
     * @return the changed copy
     */
    public LockOperations client(String bean) {
        return with(rules.withClient(bean));
    }

    private LockOperations with(LockRules changed) {
        return new LockOperations(calls, changed);
    }

    /**
     * Waits for the lock and works.
     *
     * @param name what to lock
     * @param work what to do under it
     * @param <X> what the work may throw
     * @throws X if the work fails
     * @throws LockBusyException if somebody else had it until the wait was over
     * @throws io.holdfast.LockLostException if it was lost before the work had ended
     */
    public <X extends Exception> void run(String name, Work<X> work) throws X {
        run(List.of(name), work);
    }

    /**
     * Waits for all locks and works.
     *
     * @param names what to lock: all or none
     * @param work what to do under them
     * @param <X> what the work may throw
     * @throws X if the work fails
     * @throws LockBusyException if somebody else had one of them until the wait was over
     * @throws io.holdfast.LockLostException if one was lost before the work had ended
     */
    public <X extends Exception> void run(Collection<String> names, Work<X> work) throws X {
        call(names, () -> {
            work.run();
            return Boolean.TRUE;
        });
    }

    /**
     * Waits for the lock and works.
     *
     * @param name what to lock
     * @param task what to do under it
     * @param <T> the result
     * @param <X> what the work may throw
     * @return the result of the work
     * @throws X if the work fails
     * @throws LockBusyException if somebody else had it until the wait was over
     * @throws io.holdfast.LockLostException if it was lost before the work had ended
     */
    public <T extends @Nullable Object, X extends Exception> T call(String name, Task<T, X> task) throws X {
        return call(List.of(name), task);
    }

    /**
     * Waits for all locks and works.
     *
     * @param names what to lock: all or none
     * @param task what to do under them
     * @param <T> the result
     * @param <X> what the work may throw
     * @return the result of the work
     * @throws X if the work fails
     * @throws LockBusyException if somebody else had one of them until the wait was over
     * @throws io.holdfast.LockLostException if one was lost before the work had ended
     */
    @SuppressWarnings("NullAway") // null only if the task returned it
    public <T extends @Nullable Object, X extends Exception> T call(Collection<String> names, Task<T, X> task)
            throws X {
        return calls.run(rules, calls.describe(rules, List.copyOf(names)), held -> task.call(), (call, waited) -> {
            throw BlockingCalls.busy(call, waited);
        });
    }

    /**
     * Waits for the lock and works, unless somebody else had it until the wait was over.
     *
     * @param name what to lock
     * @param work what to do under it
     * @param <X> what the work may throw
     * @return whether the work was done
     * @throws X if the work fails
     * @throws io.holdfast.LockLostException if it was lost before the work had ended
     */
    public <X extends Exception> boolean tryRun(String name, Work<X> work) throws X {
        return tryCall(name, () -> {
                    work.run();
                    return Boolean.TRUE;
                })
                .isPresent();
    }

    /**
     * Waits for the lock and works, unless somebody else had it until the wait was over.
     *
     * @param name what to lock
     * @param task what to do under it; its result must not be null
     * @param <T> the result
     * @param <X> what the work may throw
     * @return the result of the work, or empty if somebody else had it
     * @throws X if the work fails
     * @throws io.holdfast.LockLostException if it was lost before the work had ended
     */
    @SuppressWarnings("NullAway") // never null: neither way returns it
    public <T, X extends Exception> Optional<T> tryCall(String name, Task<T, X> task) throws X {
        return calls.run(
                rules,
                calls.describe(rules, List.of(name)),
                held -> Optional.of(Objects.requireNonNull(task.call(), "the result; use tryRun if there is none")),
                (call, waited) -> Optional.empty());
    }
}
