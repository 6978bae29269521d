package io.holdfast.jdbc.record;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.time.Duration;

/**
 * A claim that was granted. All times are microseconds of the database's clock.
 *
 * @param id whose
 * @param weight how much of the capacity
 * @param tokens how many fencing tokens the grant reserved
 * @param firstToken the first of them
 * @param sinceMicros when it was granted
 * @param untilMicros when its lease ends
 * @param leaseMicros how long it was when it was given or renewed last
 * @param label who, for people
 */
public record Holder(
        ClaimId id,
        int weight,
        int tokens,
        long firstToken,
        long sinceMicros,
        long untilMicros,
        long leaseMicros,
        String label) {
    private static final int LONGEST_LABEL = 255;

    public static Holder of(Claim claim, long firstToken, long nowMicros, long leaseMicros) {
        return new Holder(
                claim.id(),
                claim.weight(),
                claim.tokens(),
                firstToken,
                nowMicros,
                nowMicros + leaseMicros,
                leaseMicros,
                shortened(claim.label()));
    }

    private static String shortened(String label) {
        return label.length() <= LONGEST_LABEL ? label : label.substring(0, LONGEST_LABEL);
    }

    /** The same with a lease that begins now. */
    Holder from(long nowMicros, long lease) {
        return new Holder(id, weight, tokens, firstToken, sinceMicros, nowMicros + lease, lease, label);
    }

    Holder withTokensFrom(long first) {
        return new Holder(id, weight, tokens, first, sinceMicros, untilMicros, leaseMicros, label);
    }

    public long lastToken() {
        return firstToken + tokens - 1;
    }

    public boolean isExpired(long nowMicros) {
        return untilMicros <= nowMicros;
    }

    public Duration left(long nowMicros) {
        return Micros.duration(untilMicros - nowMicros);
    }
}
