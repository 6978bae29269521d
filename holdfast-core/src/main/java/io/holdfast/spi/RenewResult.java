package io.holdfast.spi;

import java.time.Duration;

/**
 * The store's answer for one claim of {@link LockBackend#renew}.
 *
 * @since 0.1
 */
public sealed interface RenewResult {

    /**
     * It is held, and lasts this long. That may be less than asked, where the store cannot give more: the engine takes
     * what it is given, and renews it in time.
     *
     * @param left how long at least, from the instant the request was sent
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
