package io.holdfast.spi;

import java.time.Duration;

/**
 * Asks that a held claim last longer.
 *
 * @param claim which claim
 * @param lease how long from now, or longer; see {@link RenewResult.Renewed} for a store that cannot
 * @since 0.1
 */
public record Renewal(Claim claim, Duration lease) {}
