package io.holdfast.testing;

import java.time.Duration;

/**
 * What happens to one {@link Call} on its way. The store itself is never changed by any of them, except by
 * {@link Forget}.
 *
 * @since 0.1
 */
public sealed interface Fault {

    /** Nothing: the call arrives, and so does the reply. */
    record None() implements Fault {}

    /**
     * The store executes the request, the caller gets an exception. For a pushed message, which has no reply, nothing.
     */
    record LostReply() implements Fault {}

    /**
     * The store executes the request at once, and the reply comes when {@code waiting} returns. A pushed message comes
     * then, too.
     *
     * @param waiting runs on the thread of the call
     */
    record SlowReply(Runnable waiting) implements Fault {}

    /**
     * The caller gets an exception now, and the store executes the request later: at most {@code requestTimeout()}
     * after the call, whatever is asked for here, because a backend promises that. A pushed message arrives later,
     * however late.
     *
     * @param by how much later
     */
    record Late(Duration by) implements Fault {}

    /**
     * The store executes the request now and answers, and executes it once more later: at most {@code requestTimeout()}
     * after the call. A pushed message arrives twice.
     *
     * @param after how much later the second time is
     */
    record Duplicate(Duration after) implements Fault {}

    /**
     * The store answers an attempt with a refusal. Any other request gets an exception and is not executed; a pushed
     * message is lost.
     *
     * @param why a sentence for people
     * @param retryAfter when to ask again
     */
    record Refusal(String why, Duration retryAfter) implements Fault {}

    /** The caller gets an exception and the store gets nothing. A pushed message is lost. */
    record Down() implements Fault {}

    /**
     * The store forgets everything, then executes the request and answers.
     *
     * @param forgetting makes it forget, for instance {@code () -> store.restart(true)} of a store in memory
     */
    record Forget(Runnable forgetting) implements Fault {}
}
