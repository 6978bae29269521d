package io.holdfast.spi;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A backend that can send a request without waiting for the answer, so that one thread asks several stores at once.
 *
 * <p>What is returned is asked once, by the same thread, and soon, because a connection may be kept for it. It gives
 * the answer, for which it waits until the patience is over, counted from when the request was begun; or it throws what
 * the call itself would have thrown.
 *
 * <p><b>Implementing.</b> For authors of backends, as {@link LockBackend}.
 *
 * @since 0.1
 */
public interface PipelinedBackend extends LockBackend {

    /**
     * Sends what {@link #attempt} sends.
     *
     * @param claim what is asked for
     * @param patience how long the caller can wait for the answer
     * @return gives the store's answer
     */
    Supplier<AttemptResult> beginAttempt(Claim claim, Duration patience);

    /**
     * Sends what {@link #release} sends.
     *
     * @param claim the claim that ends
     * @param patience how long the caller can wait for the answer
     * @return tells whether the store knew the claim
     */
    Supplier<Boolean> beginRelease(Claim claim, Duration patience);
}
