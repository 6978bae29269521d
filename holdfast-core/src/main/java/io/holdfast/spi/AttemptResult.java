package io.holdfast.spi;

import java.time.Duration;

/**
 * The store's answer to {@link LockBackend#attempt}.
 *
 * @since 0.1
 */
public sealed interface AttemptResult {

    /**
     * The claim holds.
     *
     * @param token the first token of its block
     * @param left how long it lasts at least, from the instant the call was made
     */
    record Granted(long token, Duration left) implements AttemptResult {}

    /**
     * The claim has a place in the line.
     *
     * @param place how many are before it, itself included: one is next
     * @param left when the holder's lease ends if nobody renews it; zero asks to be asked again at once
     * @param announced whether the store will say when the claim is served; if not, the engine asks more often
     */
    record Queued(int place, Duration left, boolean announced) implements AttemptResult {}

    /**
     * Somebody else has it, and the claim has no place: it did not want one, or the store keeps no line.
     *
     * @param left when the holder's lease ends if nobody renews it
     */
    record Busy(Duration left) implements AttemptResult {}

    /**
     * The store grants nothing now, whether the lock is free or not.
     *
     * @param why a sentence for people
     * @param retryAfter when to ask again
     */
    record Refused(String why, Duration retryAfter) implements AttemptResult {}

    /**
     * The resource is in use with another capacity.
     *
     * @param capacity what the store has
     */
    record Mismatched(int capacity) implements AttemptResult {}
}
