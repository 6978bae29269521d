package io.holdfast.jdbc.record;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ResourceView;
import java.util.Optional;

/**
 * A claim that waits. All times are microseconds of the database's clock.
 *
 * @param id whose
 * @param weight how much of the capacity it wants
 * @param tokens how many fencing tokens its grant must reserve
 * @param leastToken no token of its grant is less than this
 * @param leaseMicros how long a lease it wants
 * @param sinceMicros when it came into the line; zero if a client of an older version wrote it
 * @param untilMicros when the place is lost unless the claim asks again
 * @param label who, for people
 */
public record Place(
        ClaimId id,
        int weight,
        int tokens,
        long leastToken,
        long leaseMicros,
        long sinceMicros,
        long untilMicros,
        String label) {
    /** How long it lasts after the claim has asked. */
    static final long LIFE_MICROS = 6_000_000;

    /** Renewed when its claim asks if less than this is left; before that, asking writes nothing. */
    private static final long STALE_MICROS = LIFE_MICROS / 2;

    private static final int LONGEST_LABEL = 64;

    /** How many bytes its numbers take, and the lengths of its texts. */
    private static final int NUMBERS_BYTES = 52;

    static Place of(Claim claim, long sinceMicros, long untilMicros) {
        return new Place(
                claim.id(),
                claim.weight(),
                claim.tokens(),
                claim.leastToken(),
                Micros.of(claim.lease()),
                sinceMicros,
                untilMicros,
                shortened(claim.label()));
    }

    Place until(long micros) {
        return new Place(id, weight, tokens, leastToken, leaseMicros, sinceMicros, micros, label);
    }

    /** A line of thousands is written with every change. */
    private static String shortened(String label) {
        return label.length() <= LONGEST_LABEL ? label : label.substring(0, LONGEST_LABEL);
    }

    /** How many bytes it has in a record. */
    int bytes() {
        return NUMBERS_BYTES + bytes(id.client()) + bytes(label);
    }

    private static int bytes(String text) {
        return text.chars()
                .map(letter -> letter > 0 && letter < 0x80 ? 1 : letter < 0x800 ? 2 : 3)
                .sum();
    }

    public boolean isAlive(long nowMicros) {
        return untilMicros > nowMicros;
    }

    /** Whether it has to be renewed. */
    public boolean isStale(long nowMicros) {
        return untilMicros - nowMicros < STALE_MICROS;
    }

    /** What people see of it. */
    ResourceView.Waiting view() {
        return new ResourceView.Waiting(
                id, weight, label, sinceMicros == 0 ? Optional.empty() : Optional.of(Micros.instant(sinceMicros)));
    }

    /** Whether the claim would ask for the same thing again. */
    public boolean wants(Claim claim) {
        return equals(of(claim, sinceMicros, untilMicros));
    }
}
