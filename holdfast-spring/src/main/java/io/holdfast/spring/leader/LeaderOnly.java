package io.holdfast.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean on the process that leads, and leaves it out on the others: for scheduled work that one
 * process should do as long as it lives, where {@code @LockedJob} would let another one do it each time. The process
 * stands for election when the application has started, and steps down first when it stops.
 *
 * <p><b>Guarantees.</b> The method is called only while this process leads, by its own clocks. When the application
 * stops, no more calls begin, those that run are awaited for as long as the application gives this phase, and then the
 * lead is given back. A term that was lost while the method ran is a {@link io.holdfast.LockLostException} when it
 * returns, whatever it returned; what it threw is suppressed in it.
 *
 * <p><b>Not guaranteed.</b> That of {@link io.holdfast.Held}: a process that stands still past its lease can write
 * after it; {@link Election#term()} has the token for a fence. Calls of a class to its own methods go past the proxy.
 * What a returned future does after the method has returned is not watched.
 *
 * <p><b>Left out.</b> The caller gets null, {@code Optional.empty()} or a future with null. A method that returns a
 * primitive or a publisher ({@code Mono}, {@code Flux}), or that suspends, fails the start of the application.
 *
 * <p><b>Failures.</b> A store that cannot be asked is a warning of the candidacy, which tries again; nobody leads
 * meanwhile.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly("billing")
 * public void sendBills() { … }
 * }</pre>
 *
 * @since 0.1
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface LeaderOnly {

    /**
     * What is led. <code>${…}</code> is resolved once, at the start. An {@link Election} bean of that name is used if
     * there is one, otherwise one is made.
     *
     * @return the name of the election
     */
    String value();

    /**
     * Which client stands, if no {@link Election} bean has that name.
     *
     * @return the name of a bean; empty for the only or the primary one
     */
    String client() default "";
}
