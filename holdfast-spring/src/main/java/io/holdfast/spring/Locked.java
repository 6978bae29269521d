package io.holdfast.spring;

import io.holdfast.Fairness;
import io.holdfast.LockOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method of a bean under a lock that all processes share.
 *
 * <p><b>Guarantees.</b> One call at a time has the name, in all processes. A transaction of the method has ended before
 * the lock is given back, and a transaction whose lock was lost does not commit. A name that the thread, or the Reactor
 * context, holds already is not asked for again. What a {@code Mono}, a {@code Flux}, a future or a Kotlin
 * {@code suspend} function does is locked, not only its making. What is wrong with the annotation fails the start of
 * the application: {@link InvalidLockedException}.
 *
 * <p><b>Not guaranteed.</b> That of {@link io.holdfast.Held}: a process that stands still past its lease can write
 * after it. {@link #fenced()} stops that. Calls of a class to its own methods go past the proxy and lock nothing; they
 * are looked for at the start, see {@link LockedSettings.SelfCalls}.
 *
 * <p><b>Threads.</b> A method that returns a value runs on the thread of its caller, which waits for the lock there.
 * One that returns a future runs on {@code applicationTaskExecutor} if there is such a bean, otherwise on a thread of
 * the common pool. Nothing waits on a thread for a {@code Mono}, a {@code Flux} or a {@code suspend} function: each
 * subscription has a lock of its own.
 *
 * <p><b>Interruption.</b> Ends the wait: {@link InterruptedException} if the method declares it, otherwise a
 * {@link java.util.concurrent.CancellationException} with the flag set again. Nothing is locked then.
 *
 * <p><b>Failures.</b> {@link LockBusyException} when the time is up, {@link io.holdfast.LockStoreException} when the
 * store cannot be asked, {@link io.holdfast.LockRefusedException} when it grants nothing for a while,
 * {@link io.holdfast.LockLostException} when the lock was lost, {@link LockedTooLateException} when the transaction
 * began before the lock, {@link IllegalArgumentException} when a part of the name is missing. In all but the fourth
 * case the method was not run.
 *
 * <pre>{@code
 * @Locked("order:{order.id}")
 * @Transactional
 * public Receipt ship(Order order) {
 *     return carrier.ship(order, CurrentLocks.token());
 * }
 * }</pre>
 *
 * @since 0.1
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective(LockedHints.class)
@SuppressWarnings("exports") // whoever annotates with this need not see what Spring makes of it
public @interface Locked {

    /** What the name is locked as. */
    enum Kind {
        /** A mutex: one holder. */
        LOCK,
        /** One of many readers. */
        READ,
        /** The one writer, while nobody reads. */
        WRITE,
        /** One of {@link Locked#permits()}. */
        PERMIT
    }

    /** What happens when somebody else has the lock until the wait is over. */
    enum OnBusy {
        /** {@link LockBusyException}. */
        THROW,
        /** The method is left out: the caller gets null, {@code Optional.empty()} or an empty publisher. */
        SKIP,
        /** {@link Locked#fallback()} is called instead, without a lock. */
        FALLBACK
    }

    /** When the lock is given back. */
    enum Release {
        /** When the method has returned and the transaction in which it ran has ended. */
        AFTER_TRANSACTION,
        /** When the method has returned, although its changes may not be committed yet. */
        AT_RETURN
    }

    /** What happens, besides an exception at the end, when the lock is lost while the method runs. */
    enum OnLost {
        /** Nothing: the result is dropped and {@link io.holdfast.LockLostException} thrown. */
        THROW,
        /** The thread is interrupted, too; a publisher is cancelled. */
        INTERRUPT
    }

    /**
     * The name, with parameters in braces: <code>order:{order.id}</code>. What stands in braces is a parameter, or a
     * path of properties that begins at one; <code>{p0}</code> is the first parameter, whatever its name. A collection
     * or an array stands for all of its elements: all names are locked or none. <code>${…}</code> is resolved once, at
     * the start. Nothing can be called, made or written: it is SpEL for reading.
     *
     * <p>A part that is null or empty at the call is an {@link IllegalArgumentException}: nothing is locked, nothing is
     * run.
     *
     * @return the template
     */
    String value();

    /**
     * How long to wait, for all names together: {@code "10s"}, {@code "500ms"}, {@code "PT1M"}; {@code "0"} tries once,
     * {@code "forever"} never gives up.
     *
     * @return the wait; empty for {@link LockedSettings#waitFor()}
     */
    String waitFor() default "";

    /**
     * How long the store keeps the lock of a process that died, see {@link LockOptions#lease(java.time.Duration)}. It
     * is renewed while the method runs.
     *
     * @return the lease; empty for the client's
     */
    String lease() default "";

    /**
     * When renewals end, see {@link LockOptions#maxHold(java.time.Duration)}: a method that hangs loses its lock.
     *
     * @return the time; empty for the client's
     */
    String maxHold() default "";

    /**
     * Who is next, see {@link LockOptions#fairness(Fairness)}.
     *
     * @return one value; none for the client's
     */
    Fairness[] fairness() default {};

    /**
     * What people see who look at the store, see {@link LockOptions#label(String)}.
     *
     * @return the label; empty for the client's
     */
    String label() default "";

    /**
     * What the name is locked as.
     *
     * @return the kind
     */
    Kind kind() default Kind.LOCK;

    /**
     * How many may be inside at once, for {@link Kind#PERMIT}. All who use the name say the same number.
     *
     * @return the number of permits
     */
    int permits() default 1;

    /**
     * What happens when somebody else has the lock until the wait is over.
     *
     * @return the way out
     */
    OnBusy onBusy() default OnBusy.THROW;

    /**
     * The method to call instead, for {@link OnBusy#FALLBACK}: of the same class, with the same parameters and a result
     * that the method could return.
     *
     * @return its name
     */
    String fallback() default "";

    /**
     * When the lock is given back.
     *
     * @return after the transaction, unless said
     */
    Release release() default Release.AFTER_TRANSACTION;

    /**
     * What happens when a transaction was there before the lock.
     *
     * @return one value; none for {@link LockedSettings#joining()}, which is {@link Joining#AUTO} unless said
     */
    Joining[] joining() default {};

    /**
     * What happens when the lock is lost while the method runs.
     *
     * @return an exception at the end, unless said
     */
    OnLost onLost() default OnLost.THROW;

    /**
     * Whether the fence in the database is entered on the connection of the transaction, before the first line of the
     * method: {@code io.holdfast.fence.JdbcFence}. Needs a {@code DataSource}, a transaction, and one holder, so it is
     * for {@link Kind#LOCK} and {@link Kind#WRITE}.
     *
     * @return true to enter it
     */
    boolean fenced() default false;

    /**
     * How long the lock stays taken at least, counted from when it was acquired, even if the method is quick: for jobs
     * whose machines do not agree about the time.
     *
     * @return the time; empty to give it back at once
     */
    String atLeastFor() default "";

    /**
     * Which client to lock with.
     *
     * @return the name of a bean of type {@link io.holdfast.LockClient}; empty for the only or the primary one
     */
    String client() default "";
}
