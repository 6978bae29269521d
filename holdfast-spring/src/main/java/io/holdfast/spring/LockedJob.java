package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled method in one process at a time, and leaves it out in the others: {@link Locked} with
 * {@code waitFor = "0"} and {@link Locked.OnBusy#SKIP}. The method may return nothing, a {@code Mono} or a future, or
 * suspend.
 *
 * <p><b>Guarantees, not guaranteed, threads, failures.</b> Those of {@link Locked}. A store that cannot be asked is an
 * exception, never a job that is left out in silence.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @LockedJob(value = "report", atLeastFor = "1m")
 * public void report() { … }
 * }</pre>
 *
 * @since 0.1
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Locked(value = "", waitFor = "0", onBusy = Locked.OnBusy.SKIP)
public @interface LockedJob {

    /**
     * The name, see {@link Locked#value()}.
     *
     * @return the template
     */
    @AliasFor(annotation = Locked.class)
    String value();

    /**
     * How long the lock stays taken at least, see {@link Locked#atLeastFor()}: longer than the clocks of the machines
     * differ, shorter than the time between two runs.
     *
     * @return the time; empty to give it back at once
     */
    @AliasFor(annotation = Locked.class)
    String atLeastFor() default "";

    /**
     * How long the store keeps the lock of a process that died, see {@link Locked#lease()}.
     *
     * @return the lease; empty for the client's
     */
    @AliasFor(annotation = Locked.class)
    String lease() default "";

    /**
     * When renewals end, see {@link Locked#maxHold()}.
     *
     * @return the time; empty for the client's
     */
    @AliasFor(annotation = Locked.class)
    String maxHold() default "";

    /**
     * What people see who look at the store, see {@link Locked#label()}.
     *
     * @return the label; empty for the client's
     */
    @AliasFor(annotation = Locked.class)
    String label() default "";

    /**
     * What happens when the lock is lost while the job runs, see {@link Locked#onLost()}.
     *
     * @return an exception at the end, unless said
     */
    @AliasFor(annotation = Locked.class)
    Locked.OnLost onLost() default Locked.OnLost.THROW;

    /**
     * Whether the fence in the database is entered, see {@link Locked#fenced()}.
     *
     * @return true to enter it
     */
    @AliasFor(annotation = Locked.class)
    boolean fenced() default false;

    /**
     * Which client to lock with, see {@link Locked#client()}.
     *
     * @return the name of a bean; empty for the only or the primary one
     */
    @AliasFor(annotation = Locked.class)
    String client() default "";
}
