package io.holdfast.spi;

import java.time.Duration;

/**
 * Asks that a held claim last longer.
 *
 * @param claim which claim
 * @param lease at least how long from now
 * @since 0.1
 */
public record Renewal(Claim claim, Duration lease) {}
