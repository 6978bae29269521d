package io.holdfast.jdbc.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was seen a moment ago answers only who would hear the same from the database. */
class SightTest {
    private static final Resource NAME = new Resource(LockKind.LOCK, "a", 1);
    private static final long NOW_MICROS = 1_000_000_000_000L;
    private static final long SENT_NANOS = 5_000_000_000L;
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final LockRecord row = new LockRecord(LockKind.LOCK, 1, 0, List.of(), List.of());

    private static Claim claim(long sequence) {
        return Claim.builder(new ClaimId("c", sequence), NAME, LEASE)
                .waits(true)
                .build();
    }

    /** Number 0 holds, the others wait in their order. */
    private Sight line(int waiters) {
        for (int i = 0; i <= waiters; i++) {
            row.attempt(claim(i), NOW_MICROS);
        }
        return sight();
    }

    private Sight sight() {
        return new Sight(row, SENT_NANOS, NOW_MICROS, id -> true);
    }

    @Test
    void deepInTheLine_isAnswered() {
        Sight sight = line(5);
        assertThat(sight.answer(claim(3), SENT_NANOS + 100_000_000))
                .isEqualTo(new AttemptResult.Queued(3, LEASE.minusMillis(100), true));
        assertThat(sight.answer(claim(5), SENT_NANOS)).isEqualTo(new AttemptResult.Queued(5, LEASE, true));
    }

    @Test
    void nextInTheLine_asksTheDatabase() {
        Sight sight = line(5);
        assertThat(sight.answer(claim(1), SENT_NANOS)).isNull();
        assertThat(sight.answer(claim(2), SENT_NANOS)).isNull();
        assertThat(sight.nearest()).isOne();
    }

    @Test
    void holderOrStranger_asksTheDatabase() {
        Sight sight = line(5);
        assertThat(sight.answer(claim(0), SENT_NANOS)).isNull();
        assertThat(sight.answer(claim(99), SENT_NANOS)).isNull();
    }

    @Test
    void tooOld_answersNobody() {
        Sight sight = line(5);
        assertThat(sight.answer(claim(3), SENT_NANOS + Sight.MOST_AGE_NANOS)).isNotNull();
        assertThat(sight.answer(claim(3), SENT_NANOS + Sight.MOST_AGE_NANOS + 1))
                .isNull();
    }

    @Test
    void leaseIsOver_answersNobody() {
        row.attempt(claim(9).toBuilder().lease(Duration.ofSeconds(1)).build(), NOW_MICROS);
        Sight sight = line(5);
        assertThat(sight.answer(claim(3), SENT_NANOS)).isNotNull();
        Sight later = new Sight(row, SENT_NANOS, NOW_MICROS + 950_000, id -> true);
        assertThat(later.answer(claim(3), SENT_NANOS + 40_000_000)).isNotNull();
        assertThat(later.answer(claim(3), SENT_NANOS + 50_000_000)).isNull();
    }

    @Test
    void placeHasToBeRenewed_asksTheDatabase() {
        line(5);
        Sight later = new Sight(row, SENT_NANOS, NOW_MICROS + 2_950_000, id -> true);
        assertThat(later.answer(claim(3), SENT_NANOS + 40_000_000)).isNotNull();
        assertThat(later.answer(claim(3), SENT_NANOS + 60_000_000)).isNull();
    }

    @Test
    void asksForSomethingElse_asksTheDatabase() {
        Sight sight = line(5);
        Claim longer = claim(3).toBuilder().lease(Duration.ofSeconds(20)).build();
        Claim once = claim(3).toBuilder().waits(false).build();
        assertThat(sight.answer(longer, SENT_NANOS)).isNull();
        assertThat(sight.answer(once, SENT_NANOS)).isNull();
    }
}
