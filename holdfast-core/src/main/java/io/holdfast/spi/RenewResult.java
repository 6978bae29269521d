package io.holdfast.spi;

import java.time.Duration;

/**
 * The store's answer for one claim of {@link LockBackend#renew}.
 *
 * @since 0.1
 */
public sealed interface RenewResult {

    /**
     * It lasts at least as long as asked.
     *
     * @param left how long from the instant the request was sent
     */
    record Renewed(Duration left) implements RenewResult {}

    /** The store does not know the claim as a holder. */
    record Gone() implements RenewResult {}

    /**
     * The outcome for this claim is unknown.
     *
     * @param cause what happened
     */
    record Failed(RuntimeException cause) implements RenewResult {}
}
