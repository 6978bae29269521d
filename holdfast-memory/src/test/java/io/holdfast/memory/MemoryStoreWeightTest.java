package io.holdfast.memory;

import static io.holdfast.memory.TestClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult.Busy;
import io.holdfast.spi.AttemptResult.Granted;
import io.holdfast.spi.AttemptResult.Queued;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resources of which claims take a part: readers and writers, semaphores, latches. */
class MemoryStoreWeightTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Resource BOOK = new Resource(LockKind.READ_WRITE, "book", Resource.ALL_READERS);
    private static final Resource GATE = new Resource(LockKind.LATCH, "gate", 2);

    private final ManualTime time = TestClient.time();
    private final MemoryStore store = new MemoryStore(time);
    private final TestClient one = new TestClient(store, "one", time);
    private final TestClient two = new TestClient(store, "two", time);

    @Test
    void readers_shareAndStopBehindAWriter() {
        Claim reader = one.claim(BOOK, 1);
        Claim writer = two.claim(BOOK, Resource.ALL_READERS);
        Claim late = one.claim(BOOK, 1);
        one.granted(reader);
        one.granted(one.claim(BOOK, 1, SECOND, true));
        two.queued(writer);
        assertThat(one.queued(late)).as("a writer that waits is not overtaken").isEqualTo(2);
        assertThat(one.attempt(one.claim(BOOK, 1, LEASE, false))).isInstanceOf(Busy.class);

        one.release(reader);
        assertThat(two.heard).as("one reader is left").isEmpty();
        time.advance(SECOND);
        assertThat(two.attempt(writer)).isInstanceOf(Granted.class);
        two.release(writer);

        assertThat(one.heardClaims()).containsExactly(late.id());
    }

    @Test
    void release_ofTheWaitingWriterAtTheHead_letsTheReadersIn() {
        Claim reader = one.claim(BOOK, 1);
        Claim writer = two.claim(BOOK, Resource.ALL_READERS);
        Claim behind = one.claim(BOOK, 1);
        Claim further = one.claim(BOOK, 1);
        one.granted(reader);
        two.queued(writer);
        one.queued(behind);
        one.queued(further);

        assertThat(two.release(writer)).isTrue();

        assertThat(one.heardClaims()).containsExactly(behind.id(), further.id());
        assertThat(one.holders(BOOK)).hasSize(3);
    }

    @Test
    void attempt_writersPlaceEnded_letsAReaderPass() {
        one.granted(one.claim(BOOK, 1));
        two.queued(two.claim(BOOK, Resource.ALL_READERS));
        time.advance(MemoryStore.PLACE_LEASE);

        assertThat(one.attempt(one.claim(BOOK, 1, LEASE, false))).isInstanceOf(Granted.class);
    }

    @Test
    void attempt_writerThatNoLongerWaits_letsTheReadersIn() {
        one.granted(one.claim(BOOK, 1));
        Claim writer = two.claim(BOOK, Resource.ALL_READERS);
        Claim behind = one.claim(BOOK, 1);
        two.queued(writer);
        one.queued(behind);

        two.attempt(Claim.builder(writer.id(), BOOK, LEASE)
                .weight(Resource.ALL_READERS)
                .label("")
                .build());

        assertThat(one.heardClaims()).containsExactly(behind.id());
    }

    @Test
    void release_semaphore_servesAllThatFitAndStopsAtTheFirstThatDoesNot() {
        Resource five = new Resource(LockKind.SEMAPHORE, "five", 5);
        Claim all = one.claim(five, 5);
        one.granted(all);
        Claim two1 = two.claim(five, 2);
        Claim two2 = two.claim(five, 2);
        Claim big = two.claim(five, 3);
        Claim small = two.claim(five, 1);
        List.of(two1, two2, big, small).forEach(two::queued);

        one.release(all);

        assertThat(two.heardClaims()).containsExactly(two1.id(), two2.id());
        assertThat(two.waiting(five)).containsExactly(big.id(), small.id());
    }

    @Test
    void attempt_thousandHoldersOfWhichOneEnds_letsOneIn() {
        Resource thousand = new Resource(LockKind.SEMAPHORE, "thousand", 1000);
        for (int i = 0; i < 1000; i++) {
            one.granted(one.claim(thousand, 1, SECOND.plusMillis(i), true));
        }
        assertThat(two.attempt(two.claim(thousand, 1, LEASE, false))).isEqualTo(new Busy(SECOND));
        time.advance(SECOND);

        two.granted(two.claim(thousand));
        assertThat(two.attempt(two.claim(thousand, 1, LEASE, false))).isEqualTo(new Busy(Duration.ofMillis(1)));
    }

    @Test
    void latch_fillsUp_servesAllWhoWait() {
        Claim before = one.claim(GATE, 0);
        Claim another = two.claim(GATE, 0);
        assertThat(one.attempt(before)).isEqualTo(new Queued(1, MemoryStore.PLACE_LEASE, true));
        assertThat(two.queued(another)).isEqualTo(2);
        one.granted(one.claim(GATE, 1));
        assertThat(one.heard).isEmpty();

        one.granted(one.claim(GATE, 1));

        assertThat(one.heardClaims()).containsExactly(before.id());
        assertThat(two.heardClaims()).containsExactly(another.id());
        two.granted(two.claim(GATE, 0));
    }

    @Test
    void latch_full_turnsArrivalsAwayEvenIfTheyWouldWait() {
        one.granted(one.claim(GATE, 1));
        one.granted(one.claim(GATE, 1));
        one.granted(one.claim(GATE, 0));

        assertThat(two.attempt(two.claim(GATE, 1, LEASE, true))).isEqualTo(new Busy(LEASE));
        assertThat(two.waiting(GATE)).isEmpty();
    }

    @Test
    void latch_arrivalThatDoesNotFitWhatIsLeft_isBusy() {
        one.granted(one.claim(GATE, 1));

        assertThat(two.attempt(two.claim(GATE, 2))).isInstanceOf(Busy.class);
    }

    @Test
    void latch_arrivalRepeated_countsOnce() {
        Claim arrival = one.claim(GATE, 1);
        one.granted(arrival);
        one.granted(arrival);

        assertThat(two.attempt(two.claim(GATE, 0, LEASE, false))).isInstanceOf(Busy.class);
    }

    @Test
    void latch_notFull_lookWithoutWaitingIsBusy() {
        assertThat(one.attempt(one.claim(GATE, 0, LEASE, false))).isEqualTo(new Busy(MemoryStore.PLACE_LEASE));
    }
}
