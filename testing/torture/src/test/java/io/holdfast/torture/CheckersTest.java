package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LostReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every checker is shown something that is wrong, and something like it that is not. */
class CheckersTest {
    private static final int WRITER = Subject.BOOK.capacity();

    private static Hold hold(Subject subject, int weight, long token, long startNanos, long endNanos) {
        return new Hold(subject, "w", weight, token, startNanos, endNanos);
    }

    /** Two clients may overtake each other where a server forgot; nobody is given less than it had itself. */
    @Test
    void ownTokens_smallerThanBefore_areFoundForTheSameClientOnly() {
        Hold before = new Hold(Subject.LINE, "w0", 1, 5, 0, 10);
        assertThat(TokenChecker.checkEachClient(List.of(before, new Hold(Subject.LINE, "w0", 1, 4, 10, 20))))
                .singleElement()
                .matches(violation -> violation.rule() == Rule.OWN_TOKENS);
        assertThat(TokenChecker.checkEachClient(List.of(before, new Hold(Subject.LINE, "w1", 1, 4, 10, 20))))
                .isEmpty();
    }

    @Test
    void exclusion_twoHoldersOneAfterTheOther_isKept() {
        assertThat(ExclusionChecker.check(List.of(hold(Subject.LINE, 1, 1, 0, 10), hold(Subject.LINE, 1, 2, 10, 20))))
                .isEmpty();
    }

    @Test
    void exclusion_twoHoldersAtATime_isBroken() {
        assertThat(ExclusionChecker.check(List.of(hold(Subject.LINE, 1, 2, 9, 20), hold(Subject.LINE, 1, 1, 0, 10))))
                .singleElement()
                .satisfies(violation -> assertThat(violation.atNanos()).isEqualTo(9));
    }

    @Test
    void exclusion_twoNames_areNothingToEachOther() {
        assertThat(ExclusionChecker.check(List.of(hold(Subject.LINE, 1, 1, 0, 10), hold(Subject.COHORT, 1, 2, 0, 10))))
                .isEmpty();
    }

    @Test
    void exclusion_readersBesideReaders_isKept() {
        assertThat(ExclusionChecker.check(List.of(hold(Subject.BOOK, 1, 1, 0, 10), hold(Subject.BOOK, 1, 2, 5, 10))))
                .isEmpty();
    }

    @Test
    void exclusion_writerBesideReader_isBroken() {
        assertThat(ExclusionChecker.check(
                        List.of(hold(Subject.BOOK, 1, 1, 0, 10), hold(Subject.BOOK, WRITER, 2, 5, 10))))
                .hasSize(1);
    }

    @Test
    void exclusion_morePermitsThanThereAre_isBroken() {
        List<Hold> three = List.of(
                hold(Subject.POOL, 1, 1, 0, 10), hold(Subject.POOL, 1, 2, 1, 10), hold(Subject.POOL, 1, 3, 2, 10));
        assertThat(ExclusionChecker.check(three)).isEmpty();
        List<Hold> four = List.of(three.get(0), three.get(1), three.get(2), hold(Subject.POOL, 1, 4, 9, 12));
        assertThat(ExclusionChecker.check(four)).hasSize(1);
    }

    @Test
    void tokens_smallerAfterGreater_isBroken() {
        assertThat(TokenChecker.check(List.of(hold(Subject.LINE, 1, 5, 0, 10), hold(Subject.LINE, 1, 4, 10, 20))))
                .hasSize(1);
        assertThat(TokenChecker.check(List.of(hold(Subject.LINE, 1, 5, 0, 10), hold(Subject.LINE, 1, 6, 10, 20))))
                .isEmpty();
    }

    @Test
    void tokens_ofHoldersThatDoNotExcludeEachOther_haveNoOrder() {
        assertThat(TokenChecker.check(List.of(hold(Subject.BOOK, 1, 5, 0, 10), hold(Subject.BOOK, 1, 4, 10, 20))))
                .isEmpty();
        assertThat(TokenChecker.check(List.of(hold(Subject.BOOK, 1, 5, 0, 10), hold(Subject.BOOK, WRITER, 4, 10, 20))))
                .hasSize(1);
    }

    @Test
    void tokens_givenTwice_isBroken() {
        assertThat(TokenChecker.check(List.of(hold(Subject.BOOK, 1, 5, 0, 10), hold(Subject.BOOK, 1, 5, 0, 20))))
                .hasSize(1);
    }

    @Test
    void fencedCounter_writesThatOverwriteEachOther_isBroken() {
        try (FencedStore store = new FencedStore()) {
            FencedStore.Cell cell = store.cell(Subject.LINE);
            for (int token = 1; token <= 2; token++) {
                assertThat(cell.enter(token, 7)).isTrue();
                assertThat(cell.write(token, 7, 1, 1)).isTrue();
            }
            assertThat(store.check()).hasSize(1);
        }
    }

    @Test
    void fencedCounter_twoHoldersWithTheSameToken_theSecondIsRefused() {
        try (FencedStore store = new FencedStore()) {
            FencedStore.Cell cell = store.cell(Subject.LINE);
            assertThat(cell.enter(1, 7)).isTrue();
            assertThat(cell.enter(1, 8)).isFalse();
            assertThat(cell.write(1, 8, 1, 1)).isFalse();
            assertThat(cell.write(1, 7, 1, 2)).isTrue();
            assertThat(store.check()).isEmpty();
            assertThat(store.refused()).isEqualTo(2);
        }
    }

    @Test
    void fencedCounter_lateWriter_isRefusedAndItsTwinLosesOne() {
        try (FencedStore store = new FencedStore()) {
            FencedStore.Cell cell = store.cell(Subject.LINE);
            assertThat(cell.enter(1, 7)).isTrue();
            assertThat(cell.enter(2, 8)).isTrue();
            assertThat(cell.write(2, 8, 1, 1)).isTrue();
            assertThat(cell.write(1, 7, 1, 1)).isFalse();
            assertThat(store.check()).isEmpty();
            assertThat(store.lostWithoutFence()).isEqualTo(1);
        }
    }

    @Test
    void stuckWaiter_freeForTooLong_isSeen() {
        List<Hold> holds = List.of(hold(Subject.LINE, 1, 1, 0, 10), hold(Subject.LINE, 1, 2, 50, 60));
        List<Wait> waits = List.of(new Wait(Subject.LINE, "w", 5, 50));
        List<Period> calm = List.of(new Period(0, 100));
        assertThat(StuckWaiterChecker.check(holds, waits, calm, 30)).hasSize(1);
        assertThat(StuckWaiterChecker.check(holds, waits, calm, 41)).isEmpty();
    }

    @Test
    void stuckWaiter_neverServed_isSeen() {
        List<Wait> waits = List.of(new Wait(Subject.LINE, "w", 5, 90));
        assertThat(StuckWaiterChecker.check(List.of(), waits, List.of(new Period(0, 100)), 30))
                .hasSize(1);
    }

    @Test
    void stuckWaiter_whileSomethingWasBroken_isNone() {
        List<Wait> waits = List.of(new Wait(Subject.LINE, "w", 5, 90));
        assertThat(StuckWaiterChecker.check(List.of(), waits, List.of(new Period(0, 20), new Period(70, 100)), 30))
                .isEmpty();
    }

    @Test
    void leak_keyWithoutEnd_isSeen() {
        assertThat(LeakChecker.endless(Map.of("torture:lock:{a}", -1L, "torture:lock:{b}", 5L)))
                .containsExactly("torture:lock:{a}");
    }

    @Test
    void leak_lockThatStays_isSeen() {
        assertThat(LeakChecker.leftBehind(
                        Map.of("torture:lock:{a}", 5L, "torture:guard", 5L, "torture:client:{x}", 5L)))
                .containsExactly("torture:lock:{a}");
    }

    @Test
    void counts_leaseWithoutEnd_isSeen() {
        CountChecker counts = new CountChecker();
        counts.on(LockEvent.Acquired.of(LockKind.LOCK, "a", 1, Duration.ZERO));
        counts.on(LockEvent.Acquired.of(LockKind.LOCK, "a", 2, Duration.ZERO));
        counts.on(LockEvent.Released.of(LockKind.LOCK, "a", 1, Duration.ZERO));
        assertThat(counts.complaints()).hasSize(2);
        counts.on(LockEvent.Lost.of(LockKind.LOCK, "a", 2, LostReason.EXPIRED));
        assertThat(counts.complaints()).isEmpty();
    }

    @Test
    void counts_secondEnd_isSeen() {
        CountChecker counts = new CountChecker();
        counts.on(LockEvent.Acquired.of(LockKind.LOCK, "a", 1, Duration.ZERO));
        counts.on(LockEvent.Lost.of(LockKind.LOCK, "a", 1, LostReason.EXPIRED));
        counts.on(LockEvent.Released.of(LockKind.LOCK, "a", 1, Duration.ZERO));
        assertThat(counts.complaints()).isNotEmpty();
    }

    @Test
    void excuse_isForTheTimeOfAFaultThatMayBreak() {
        long second = Duration.ofSeconds(1).toNanos();
        Injection injection =
                new Injection(Fault.DELETION, "", 10 * second, 11 * second, 0, 0, true, Duration.ofSeconds(4));
        assertThat(injection.excuses(new Violation(Rule.EXCLUSION, 12 * second, "")))
                .isTrue();
        assertThat(injection.excuses(new Violation(Rule.EXCLUSION, 9 * second, "")))
                .isFalse();
        assertThat(injection.excuses(new Violation(Rule.EXCLUSION, 16 * second, "")))
                .isFalse();
        assertThat(injection.excuses(new Violation(Rule.FENCED_COUNTER, 12 * second, "")))
                .isFalse();
        assertThat(injection.excuses(new Violation(Rule.OWN_TOKENS, 12 * second, "")))
                .isFalse();
        Injection broken =
                new Injection(Fault.BROKEN_LOCKS, "", 10 * second, 11 * second, 0, 0, true, Duration.ofSeconds(4));
        assertThat(broken.excuses(new Violation(Rule.OWN_TOKENS, 12 * second, "")))
                .isTrue();
        Injection strict = new Injection(Fault.KILL, "", 10 * second, 11 * second, 0, 0, false, Duration.ofSeconds(4));
        assertThat(strict.excuses(new Violation(Rule.EXCLUSION, 12 * second, "")))
                .isFalse();
    }

    @Test
    void history_holdOfAKilledWorker_endsWithIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("w.log");
        Files.writeString(file, """
                W 1 t1 LINE
                A 5 t1 LINE 1 77 100
                W 2 t2 LINE
                A 3 t3 LONG 1 78 8
                W 6 t4 BOOK
                """ + "A 7 t2 LI");
        History history = new History();
        history.add("w", file);
        history.read();
        assertThat(history.holds()).isEmpty();
        history.killed("w", 10);
        assertThat(history.holds())
                .containsExactlyInAnyOrder(hold(Subject.LINE, 1, 77, 5, 10), hold(Subject.LONG, 1, 78, 3, 8));
        assertThat(history.waits())
                .containsExactlyInAnyOrder(
                        new Wait(Subject.LINE, "w", 1, 5),
                        new Wait(Subject.LINE, "w", 2, 10),
                        new Wait(Subject.BOOK, "w", 6, 10));
    }

    @Test
    void history_refusalOfAValidLease_isTold(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("w.log");
        Files.writeString(file, "S 5 t1 LINE 77\n");
        History history = new History();
        history.add("w", file);
        history.read();
        assertThat(history.told())
                .singleElement()
                .satisfies(told -> assertThat(told.rule()).isEqualTo(Rule.TOKEN_ORDER));
    }
}
