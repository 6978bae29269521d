package io.holdfast.jdbc.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a row can become: how long its line, and how late the end of what is in it. */
class RecordBoundsTest {
    private static final long NOW = 10_000_000_000_000L;
    private static final long HOUR = 3_600_000_000L;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Resource RESOURCE = new Resource(LockKind.LOCK, "a", 1);
    private static final int COLUMN = 1_048_576;

    private static Claim claim(long number, String label) {
        return Claim.builder(new ClaimId("c".repeat(36), number), RESOURCE, LEASE)
                .label(label)
                .waits(true)
                .build();
    }

    private static LockRecord row() {
        return new LockRecord(LockKind.LOCK, 1, 7, List.of(), List.of());
    }

    /** Nobody is refused for good: who finds no place asks again, and gets one when others have gone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "worker-17 of a thread pool",
                "線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線線"
            })
    void line_ofThousands_fitsIntoItsColumn(String label) {
        long now = NOW + Place.LIFE_MICROS;
        int few = 5;
        int bytes = Place.of(claim(1, label), NOW, now).bytes();
        int most = Math.min(LockRecord.MOST_PLACES, LockRecord.MOST_LINE_BYTES / bytes);
        List<Place> line = LongStream.range(2, most - few)
                .mapToObj(number -> Place.of(claim(number, label), NOW, now))
                .toList();
        LockRecord row = new LockRecord(
                LockKind.LOCK, 1, 7, List.of(Holder.of(claim(1, label), 7, NOW, Micros.of(LEASE))), line);
        long number = most;
        AttemptResult answer;
        do {
            answer = row.attempt(claim(++number, label), NOW);
        } while (answer instanceof AttemptResult.Queued && number < most + 100);
        assertThat(answer).as("who finds no place").isInstanceOf(AttemptResult.Busy.class);
        assertThat(row.line()).hasSizeBetween(most, most + 1);
        assertThat(RecordFormat.encode(row)).hasSizeLessThan(COLUMN);
        assertThat(row.attempt(claim(2, label), NOW)).as("who has a place").isInstanceOf(AttemptResult.Queued.class);
        row.release(new ClaimId("c".repeat(36), 1), NOW);
        assertThat(row.attempt(claim(number, label), NOW)).as("asked again").isInstanceOf(AttemptResult.Queued.class);
    }

    /** One write for a crowd, not one for each of them; the dead, and those of others, keep what they have. */
    @Test
    void placeHasToBeRenewed_soAreThoseKnownToBeAlive() {
        LockRecord row = row();
        for (int i = 1; i <= 4; i++) {
            row.attempt(claim(i, ""), NOW);
        }
        LockRecord read = RecordFormat.decode(LockKind.LOCK, 1, row.lastToken(), RecordFormat.encode(row));
        long early = NOW + Place.LIFE_MICROS / 2;
        assertThat(read.attempt(claim(2, ""), early, id -> true)).isInstanceOf(AttemptResult.Queued.class);
        assertThat(read.isChanged()).as("before it has to be").isFalse();
        read.attempt(claim(2, ""), early + 1, id -> id.sequence() == 4);
        assertThat(read.isChanged()).isTrue();
        assertThat(read.line())
                .extracting(Place::untilMicros)
                .containsExactly(early + 1 + Place.LIFE_MICROS, NOW + Place.LIFE_MICROS, early + 1 + Place.LIFE_MICROS);
    }

    @Test
    void place_bytes_areThoseOfTheRecord() {
        LockRecord row = row();
        row.attempt(claim(1, ""), NOW);
        int before = RecordFormat.encode(row).length;
        row.attempt(claim(2, "aé線\0😀"), NOW);
        assertThat(row.line().get(0).bytes()).isEqualTo(RecordFormat.encode(row).length - before);
    }

    @Test
    void cut_clockWasSetBack_endsAfterItsOwnLength() {
        LockRecord row = row();
        row.attempt(claim(1, ""), NOW);
        row.attempt(claim(2, ""), NOW);
        long later = NOW - HOUR;
        LockRecord read = RecordFormat.decode(LockKind.LOCK, 1, row.lastToken(), RecordFormat.encode(row));
        read.cut(later);
        assertThat(read.isChanged()).as("the row is written").isTrue();
        assertThat(read.freeAtMicros()).isEqualTo(later + Micros.of(LEASE));
        assertThat(read.line().get(0).untilMicros()).isEqualTo(later + Place.LIFE_MICROS);
        assertThat(read.isHeldBy(new ClaimId("c".repeat(36), 1), later + Micros.of(LEASE) - 1))
                .as("not earlier than its holder believes")
                .isTrue();
    }

    @Test
    void cut_leaseOfItsLength_isLeftAlone() {
        LockRecord row = row();
        row.attempt(claim(1, ""), NOW);
        row.renew(new ClaimId("c".repeat(36), 1), HOUR, NOW);
        row.attempt(claim(2, ""), NOW);
        LockRecord read = RecordFormat.decode(LockKind.LOCK, 1, row.lastToken(), RecordFormat.encode(row));
        read.cut(NOW - 1_000_000);
        assertThat(read.isChanged()).isFalse();
        assertThat(read.freeAtMicros()).isEqualTo(NOW + HOUR);
    }

    /** Since when somebody waits was not written at first; such rows may be there, and their line goes on. */
    @Test
    void decode_formerVersion_readsTheLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(1);
            out.writeInt(0);
            out.writeInt(1);
            out.writeUTF("client");
            out.writeLong(7);
            out.writeInt(1);
            out.writeInt(1);
            out.writeLong(0);
            out.writeLong(5);
            out.writeLong(NOW);
            out.writeUTF("label");
        }

        Place place = RecordFormat.decode(LockKind.LOCK, 1, 7, bytes.toByteArray())
                .line()
                .get(0);

        assertThat(place).isEqualTo(new Place(new ClaimId("client", 7), 1, 1, 0, 5, 0, NOW, "label"));
        assertThat(place.view().since()).isEmpty();
        assertThat(place.until(NOW + 1).sinceMicros()).isZero();
    }

    @Test
    void line_claimAsksAgain_keepsWhenItCame() {
        LockRecord row = new LockRecord(
                LockKind.LOCK, 1, 7, List.of(Holder.of(claim(1, "a"), 7, NOW, Micros.of(LEASE))), List.of());
        row.attempt(claim(2, "b"), NOW);
        row.attempt(claim(2, "b"), NOW + Place.LIFE_MICROS - 1);

        assertThat(row.line()).singleElement().satisfies(place -> {
            assertThat(place.sinceMicros()).isEqualTo(NOW);
            assertThat(place.untilMicros()).isGreaterThan(NOW + Place.LIFE_MICROS);
        });
    }
}
