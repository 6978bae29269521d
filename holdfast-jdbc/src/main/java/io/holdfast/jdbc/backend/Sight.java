package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.jdbc.record.Place;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a line a moment ago. In a crowd everybody asks once a second, and most would hear that nothing has
 * changed for them: that is answered from here, as long as it is certain.
 */
final class Sight {
    /** Older ones answer nobody. */
    static final long MOST_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** These ask the database: they are served next, and they find out that a holder's lease is over. */
    private static final int FIRST_PLACES = 2;

    private static final int NANOS_PER_MICRO = 1_000;

    /**
     * Where a claim stood.
     *
     * @param number one is next
     * @param place what stands there
     */
    private record Standing(int number, Place place) {}

    private final long sentNanos;
    private final long nowMicros;
    private final long soonestEndMicros;
    private final long lastToken;
    private final int nearest;
    private final Map<ClaimId, Standing> standing = new HashMap<>();

    /**
     * Looks at a line.
     *
     * @param sentNanos when the database was asked, on the clock of this process
     * @param nowMicros when it answered, on its own
     * @param ours whose places to remember
     */
    Sight(LockRecord seen, long sentNanos, long nowMicros, Predicate<ClaimId> ours) {
        this.sentNanos = sentNanos;
        this.nowMicros = nowMicros;
        this.lastToken = seen.lastToken();
        this.soonestEndMicros =
                seen.holders().stream().mapToLong(Holder::untilMicros).min().orElse(nowMicros);
        List<Place> line = seen.line();
        int first = Integer.MAX_VALUE;
        for (int i = 0; i < line.size(); i++) {
            if (ours.test(line.get(i).id())) {
                first = Math.min(first, i + 1);
                standing.put(line.get(i).id(), new Standing(i + 1, line.get(i)));
            }
        }
        this.nearest = first;
    }

    boolean isBefore(Sight other) {
        return sentNanos - other.sentNanos < 0;
    }

    /** Whether nobody was granted anything between the two. */
    boolean hasTokenOf(Sight other) {
        return lastToken == other.lastToken;
    }

    /** The first of our places. */
    int nearest() {
        return nearest;
    }

    /**
     * What the database would answer, if that is certain: the claim stands in the line with others before it, asks for
     * the same as before, has no need to renew its place, and no lease has ended since.
     */
    @Nullable
    AttemptResult answer(Claim claim, long nowNanos) {
        Standing mine = standing.get(claim.id());
        long ageNanos = nowNanos - sentNanos;
        if (mine == null || mine.number <= FIRST_PLACES || ageNanos > MOST_AGE_NANOS) {
            return null;
        }
        long atMostMicros = nowMicros + ageNanos / NANOS_PER_MICRO;
        long leftMicros = soonestEndMicros - atMostMicros;
        boolean same = claim.waits() && mine.place.wants(claim) && !mine.place.isStale(atMostMicros);
        return same && leftMicros > 0 ? new AttemptResult.Queued(mine.number, Micros.duration(leftMicros), true) : null;
    }
}
