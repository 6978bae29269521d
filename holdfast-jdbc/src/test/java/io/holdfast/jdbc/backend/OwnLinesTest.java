package io.holdfast.jdbc.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who of this client waits, who is a crowd, and how soon to look after them. */
class OwnLinesTest {
    private static final Resource NAME = new Resource(LockKind.LOCK, "a", 1);
    private static final long NOW_MICROS = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final OwnLines lines = new OwnLines();
    private final LockRecord row = new LockRecord(LockKind.LOCK, 1, 0, List.of(), List.of());

    private static Claim claim(String client, long sequence) {
        return Claim.builder(new ClaimId(client, sequence), NAME, Duration.ofSeconds(10))
                .waits(true)
                .build();
    }

    private void stand(String client, int from, int to) {
        for (int i = from; i <= to; i++) {
            row.attempt(claim(client, i), NOW_MICROS);
            if (client.equals("ours")) {
                lines.add(claim(client, i), 0);
            }
        }
    }

    private void look(long nanos) {
        lines.saw(NAME, row, nanos, NOW_MICROS, nanos);
    }

    @Test
    void crowd_isAnsweredFromWhatWasSeen_fewAreNot() {
        row.attempt(claim("other", 0), NOW_MICROS);
        stand("ours", 1, OwnLines.CROWD - 1);
        look(SECOND);
        assertThat(lines.answer(claim("ours", 9), SECOND)).as("few").isNull();
        stand("ours", OwnLines.CROWD, OwnLines.CROWD);
        assertThat(lines.answer(claim("ours", 9), SECOND)).as("a crowd").isNotNull();
        lines.remove(new ClaimId("ours", 9));
        stand("ours", OwnLines.CROWD + 1, OwnLines.CROWD + 1);
        assertThat(lines.answer(claim("ours", 9), SECOND))
                .as("who was served or has gone")
                .isNull();
    }

    @Test
    void olderLook_replacesNoNewerOne() {
        row.attempt(claim("other", 0), NOW_MICROS);
        stand("ours", 1, OwnLines.CROWD);
        look(SECOND);
        lines.saw(NAME, new LockRecord(LockKind.LOCK, 1, 0, List.of(), List.of()), SECOND - 1, NOW_MICROS, SECOND);
        assertThat(lines.answer(claim("ours", 9), SECOND)).isNotNull();
    }

    @Test
    void restless_asLongAsTheNewestHasWaited() {
        lines.add(claim("ours", 1), 0);
        lines.add(claim("ours", 2), 3 * SECOND);
        assertThat(lines.restlessNanos(4 * SECOND)).isEqualTo(SECOND);
        lines.remove(new ClaimId("ours", 2));
        lines.remove(new ClaimId("ours", 1));
        assertThat(lines.isEmpty()).isTrue();
        assertThat(lines.contains(NAME)).isFalse();
        assertThat(lines.restlessNanos(4 * SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void restless_lineMovesAndOursIsNear_sinceItMoved() {
        row.attempt(claim("other", 0), NOW_MICROS);
        stand("other", 1, 2);
        stand("ours", 1, 1);
        look(SECOND);
        look(5 * SECOND);
        assertThat(lines.restlessNanos(9 * SECOND)).as("first seen").isEqualTo(8 * SECOND);
        row.release(new ClaimId("other", 0), NOW_MICROS);
        look(7 * SECOND);
        look(8 * SECOND);
        assertThat(lines.restlessNanos(9 * SECOND)).as("moved").isEqualTo(2 * SECOND);
    }

    @Test
    void restless_lineMovesFarFromOurs_asLongAsItHasWaited() {
        row.attempt(claim("other", 0), NOW_MICROS);
        stand("other", 1, 4);
        stand("ours", 1, 1);
        look(SECOND);
        row.release(new ClaimId("other", 0), NOW_MICROS);
        look(7 * SECOND);
        assertThat(lines.restlessNanos(9 * SECOND)).isEqualTo(9 * SECOND);
    }
}
