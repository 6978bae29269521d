package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockKind;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a record of waits: what was written is read again, and what is wrong is refused. */
class WaitTextTest {
    private static final Resource ACCOUNT = new Resource(LockKind.LOCK, "account 7%\n{x}\u00e9\u2003", 1);
    private static final WaitRecord.Hold HOLD =
            new WaitRecord.Hold(true, ACCOUNT, new ClaimId("c1", 4), 1_700_000_000_000_001L, 1, 99);

    private static WaitRecord.Suspect suspect(long serial, List<WaitRecord.Hold> holds) {
        Resource pool = new Resource(LockKind.SEMAPHORE, "pool", 7);
        return new WaitRecord.Suspect(
                serial,
                "thread-12",
                "transfer 3",
                true,
                pool,
                2,
                5,
                new ClaimId("c1", 9),
                WaitRecord.Place.BEHIND,
                123,
                0,
                holds);
    }

    @Test
    void parse_whatWasWritten_isTheSame() {
        WaitRecord record =
                new WaitRecord("c1", 17, 12, List.of(suspect(3, List.of(HOLD, HOLD)), suspect(4, List.of())));

        assertThat(WaitText.read("c1", WaitText.of(record))).isEqualTo(record);
        assertThat(WaitText.of(record).lines()).hasSize(3);
        assertThat(WaitText.of(record).lines().findFirst()).contains("holdfast-waits 1 17 12");
    }

    @Test
    void text_moreSuspectsAndHoldsThanFit_areLeftOut() {
        WaitRecord.Suspect rich = suspect(1, Collections.nCopies(40, HOLD));
        WaitRecord record = new WaitRecord("c1", 1, 1, Collections.nCopies(70, rich));

        WaitRecord read = WaitText.read("c1", WaitText.of(record));

        assertThat(read.suspects())
                .hasSizeLessThanOrEqualTo(WaitRecord.MOST_SUSPECTS)
                .hasSizeGreaterThan(10);
        assertThat(read.suspects().get(0).holds()).hasSize(WaitRecord.MOST_HOLDS);
    }

    @Test
    void text_longNames_staysBelowTheBound() {
        Resource lengthy = new Resource(LockKind.LOCK, "\u0001".repeat(512), 1);
        WaitRecord.Hold hold = new WaitRecord.Hold(false, lengthy, new ClaimId("c", 1), 1, 1, 0);
        WaitRecord record =
                new WaitRecord("c1", 1, 1, Collections.nCopies(64, suspect(1, Collections.nCopies(9, hold))));

        assertThat(WaitText.of(record).length()).isLessThanOrEqualTo(WaitText.MOST_CHARACTERS);
        assertThat(WaitText.read("c1", WaitText.of(record)).suspects())
                .isNotEmpty()
                .hasSizeLessThan(64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "holdfast-waits",
                "holdfast-waits 2 1 1",
                "holdfast-waits 1 0 1",
                "holdfast-waits 1 1",
                "holdfast-waits 1 1 1 1",
                "holdfast-waits 1 x 1",
                "holdfast-waits 1 1 1\n",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a 1 1 1 c 1 line 0 0 33",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a 1 2 2 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a 3 2 1 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o fail LUCK a 1 1 1 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o maybe LOCK a 1 1 1 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a%2 1 1 1 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a%zz 1 1 1 c 1 line 0 0 0",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a 1 1 1 c 1 line 0 0 1 certain LOCK b 1 c 1 1 1",
                "holdfast-waits 1 1 1\n1 k o fail LOCK a 1 1 1 c 99999999999999999999 line 0 0 0",
            })
    void parse_somethingElse_isRefused(String text) {
        assertThatThrownBy(() -> WaitText.read("c", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a record of waits");
    }

    @Test
    void parse_tooLongOrTooMany_isRefused() {
        String line = "\n1 k o fail LOCK a 1 1 1 c 1 line 0 0 0";
        assertThat(WaitText.read("c", "holdfast-waits 1 1 1" + line.repeat(64)).suspects())
                .hasSize(64);
        assertThatThrownBy(() -> WaitText.read("c", "holdfast-waits 1 1 1" + line.repeat(65)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WaitText.read("c", "holdfast-waits 1 1 1" + " ".repeat(70_000)))
                .hasMessageContaining("70020 characters");
    }

    /** Whatever somebody writes there, only one kind of exception comes out. */
    @Test
    void parse_damaged_isReadOrRefused() {
        Random random = new Random(5);
        String good =
                WaitText.of(new WaitRecord("c1", 17, 12, List.of(suspect(3, List.of(HOLD)), suspect(4, List.of()))));
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            StringBuilder damaged = new StringBuilder(good);
            IntStream.range(0, 1 + random.nextInt(3)).forEach(each -> {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.deleteCharAt(at);
                    case 1 -> damaged.setCharAt(at, (char) random.nextInt(300));
                    default -> damaged.insert(at, " \n%9-".charAt(random.nextInt(5)));
                }
            });
            try {
                WaitText.read("c1", damaged.toString());
            } catch (IllegalArgumentException expected) {
                refused++;
            }
        }
        assertThat(refused).isBetween(500, 4_999);
    }
}
