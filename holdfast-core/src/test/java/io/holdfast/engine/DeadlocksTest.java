package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockDeadlockException;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.OnDeadlock;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When a deadlock is told, and when it is not: one client under a clock of the test's own, and another one that is what
 * the store shows of it. "me" holds a and waits for b; "other" holds b and waits for a.
 */
class DeadlocksTest extends EngineFixture {
    private static final ClaimId OTHER_HOLDS = new ClaimId("other", 1);
    private static final ClaimId OTHER_WAITS = new ClaimId("other", 2);
    private static final LockOptions ME = LockOptions.defaults().owner("me");

    private final Map<String, ClaimId> holding = new HashMap<>();
    private final Map<String, ClaimId> waiting = new HashMap<>();
    private final LogCapture log = new LogCapture();
    private long version = 7;
    private long unbroken = 1;
    private long otherSerial = 5;
    private long otherToken = 50;
    private boolean otherCertain = true;
    private boolean otherFails;
    private long otherSince;
    private boolean otherIsSeen = true;

    /** A claim before mine in the line of b, of which nothing else is known. */
    private boolean writerBefore;

    DeadlocksTest() {
        backend.attempts(this::answer);
        backend.inspections(this::view);
        backend.waits(client -> client.equals("other") && otherIsSeen ? Optional.of(otherText()) : Optional.empty());
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    private AttemptResult answer(Claim claim) {
        String name = claim.resource().name();
        if (name.equals("b")) {
            waiting.put(name, claim.id());
            return ScriptedBackend.queued(1, seconds(10)).apply(claim);
        }
        holding.put(name, claim.id());
        return grant(claim);
    }

    private Optional<ResourceView> view(Resource resource) {
        boolean mine = resource.name().equals("a");
        ClaimId holder = mine ? holding.get("a") : OTHER_HOLDS;
        ClaimId waiter = mine ? OTHER_WAITS : waiting.get("b");
        List<ResourceView.Waiting> line = new ArrayList<>();
        if (writerBefore && !mine) {
            line.add(new ResourceView.Waiting(new ClaimId("unknown", 1), Resource.ALL_READERS, ""));
        }
        if (waiter != null) {
            line.add(new ResourceView.Waiting(waiter, 1, ""));
        }
        return Optional.of(new ResourceView(
                resource,
                holder == null ? List.of() : List.of(new ResourceView.Holder(holder, 1, 1, seconds(9), "")),
                line));
    }

    private String otherText() {
        Resource a = new Resource(LockKind.LOCK, "a", 1);
        Resource b = new Resource(LockKind.LOCK, "b", 1);
        WaitRecord.Hold hold = new WaitRecord.Hold(otherCertain, b, OTHER_HOLDS, otherToken, 1, 0);
        return WaitText.of(new WaitRecord(
                "other",
                version,
                unbroken,
                List.of(new WaitRecord.Suspect(
                        otherSerial,
                        "thread-9",
                        "somebody",
                        otherFails,
                        a,
                        1,
                        1,
                        OTHER_WAITS,
                        WaitRecord.Place.LINE,
                        otherSince,
                        0,
                        List.of(hold)))));
    }

    private final List<Lease> leases = new ArrayList<>();

    private CompletableFuture<Lease> deadlocked(LockOptions options) {
        leases.add(lease(waiting(engine.lock("a", options))));
        return waiting(engine.lock("b", options));
    }

    /** Lets time pass until the next sample has been shown and looked from. */
    private void beat() {
        int before = backend.published().size();
        for (int i = 0; i < 400 && backend.published().size() == before; i++) {
            runtime.advance(millis(10));
        }
        assertThat(backend.published()).as("a beat").hasSizeGreaterThan(before);
    }

    /** A beat in which the other client has counted on. */
    private void beatOfBoth() {
        version++;
        beat();
    }

    private List<Deadlock> told() {
        return events(DeadlockDetected.class).stream()
                .map(DeadlockDetected::deadlock)
                .toList();
    }

    private void endOf(CompletableFuture<Lease> wait) {
        wait.cancel(true);
        runtime.run();
        leases.forEach(Lease::close);
        runtime.run();
    }

    @Test
    void core_isToldWhenEachClientHasCountedOnTwice() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        assertThat(told()).as("look 1 and 2").isEmpty();
        beatOfBoth();
        assertThat(told()).as("the next version may have been sampled before").isEmpty();
        beatOfBoth();

        assertThat(told()).hasSize(1);
        Deadlock deadlock = told().get(0);
        assertThat(deadlock.certain()).isTrue();
        assertThat(deadlock.members()).extracting(Deadlock.Member::owner).containsExactlyInAnyOrder("me", "somebody");
        assertThat(log.messages()).hasSize(1);
        assertThat(log.messages().get(0))
                .contains("deadlock")
                .contains("me (certain) holds 'a' (token 1) and waits 3s for 'b'")
                .contains("somebody (certain) holds 'b' (token 50) and waits");

        beatOfBoth();
        beatOfBoth();
        assertThat(told()).as("once").hasSize(1);
        endOf(wait);
    }

    @Test
    void member_thatDoesNotCountOn_isNotTold() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        for (int i = 0; i < 8; i++) {
            beat();
        }
        assertThat(told()).isEmpty();
        endOf(wait);
    }

    @Test
    void member_whoseRecordEnds_isNotTold() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beatOfBoth();
        otherIsSeen = false;
        beatOfBoth();
        beatOfBoth();
        assertThat(told()).isEmpty();
        endOf(wait);
    }

    /** Somebody else's write that was not answered may come late: then a version says nothing about its sample. */
    @Test
    void version_afterAnUnansweredWrite_doesNotCount() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beatOfBoth();
        unbroken = version + 1;
        beatOfBoth();
        assertThat(told()).isEmpty();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        endOf(wait);
    }

    @Test
    void wait_thatIsAnother_beginsAnew() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beatOfBoth();
        otherSerial++;
        beatOfBoth();
        assertThat(told()).isEmpty();
        beatOfBoth();
        assertThat(told()).isEmpty();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        endOf(wait);
    }

    @Test
    void lease_thatWasPassedOn_beginsAnew() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beatOfBoth();
        otherToken++;
        beatOfBoth();
        beatOfBoth();
        assertThat(told()).isEmpty();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        endOf(wait);
    }

    @Test
    void garbage_ofAnotherClient_isIgnored() {
        backend.waits(client -> Optional.of("garbage"));
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beat();
        assertThat(told()).isEmpty();
        assertThat(log.messages()).isEmpty();
        endOf(wait);
    }

    @Test
    void outage_ofPublishingAndLooking_failsNoWait() {
        backend.publications(record -> {
            throw new IllegalStateException("down");
        });
        backend.inspections(ScriptedBackend.down());
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beat();
        assertThat(wait).isNotDone();
        assertThat(log.messages()).isEmpty();
        assertThat(backend.published()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(backend.published().get(1).unbroken())
                .isEqualTo(backend.published().get(1).version());
        endOf(wait);
    }

    @Test
    void versions_countOneByOne_andStayUnbroken() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beat();
        beat();
        assertThat(backend.published()).extracting(WaitRecord::version).containsExactly(1L, 2L, 3L);
        assertThat(backend.published()).extracting(WaitRecord::unbroken).containsOnly(1L);
        endOf(wait);
        beat();
        assertThat(backend.published().get(3).suspects())
                .as("nobody waits any more")
                .isEmpty();
        runtime.advance(seconds(5));
        assertThat(backend.published()).hasSize(4);
    }

    /** The writer's process may have died: its place is left over for a few seconds then. */
    @Test
    void core_overAnUnknownClaimInTheLine_isToldWhenThatMustBeAlive() {
        writerBefore = true;
        leases.add(lease(waiting(engine.lock("a", ME))));
        CompletableFuture<Lease> wait = engine.readWriteLock("b", ME).readLock().acquireAsync();
        runtime.run();
        beat();
        long seenNanos = runtime.nanoTime();
        while (runtime.nanoTime() - seenNanos < seconds(4).toNanos()) {
            assertThat(told()).isEmpty();
            beatOfBoth();
        }
        assertThat(told()).hasSize(1);
        endOf(wait);
    }

    // ---- who is a suspect

    @Test
    void wait_shorterThanTheDelay_isNeverShown() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        runtime.advance(millis(990));
        assertThat(backend.published()).isEmpty();
        assertThat(backend.looks()).isZero();
        endOf(wait);
        runtime.advance(seconds(5));
        assertThat(backend.published()).isEmpty();
    }

    @Test
    void waiter_thatHoldsNothing_isNeverShown() {
        CompletableFuture<Lease> wait = waiting(engine.lock("b", ME));
        Lease anothers = lease(waiting(engine.lock("a", LockOptions.defaults().owner("another"))));
        runtime.advance(seconds(8));
        assertThat(backend.published()).isEmpty();
        assertThat(backend.looks()).isZero();
        anothers.close();
        endOf(wait);
    }

    @Test
    void leases_thatNobodyOwns_areNeverShown() {
        CompletableFuture<Lease> wait = deadlocked(LockOptions.defaults());
        runtime.advance(seconds(8));
        assertThat(backend.published()).isEmpty();
        endOf(wait);
    }

    @Test
    void owner_thatWaitsForItself_isToldWithoutTheStore() {
        backend.inspections(ScriptedBackend.down());
        DistributedLock lock = engine.lock("a", ME);
        Lease held = lease(waiting(lock));
        CompletableFuture<Lease> wait = waiting(lock);
        beat();
        beat();
        assertThat(told()).isEmpty();
        beat();
        assertThat(told()).hasSize(1);
        assertThat(told().get(0).members()).hasSize(1);
        assertThat(log.messages().get(0)).contains("leases are not re-entrant").contains("lock()");
        wait.cancel(true);
        runtime.run();
        held.close();
        runtime.run();
    }

    // ---- ending one

    @Test
    void fail_theYoungestGivesUp_andKeepsWhatItHolds() {
        otherFails = true;
        CompletableFuture<Lease> wait = deadlocked(ME.onDeadlock(OnDeadlock.FAIL));
        beat();
        beatOfBoth();
        beatOfBoth();
        runtime.run();

        assertThat(wait).isCompletedExceptionally();
        assertThatThrownBy(wait::join).hasCauseInstanceOf(LockDeadlockException.class);
        assertThat(leases.get(0).isValid()).isTrue();
        assertThat(backend.releasesOf(backend.claim(1)))
                .as("the claim leaves the line")
                .isPositive();
        assertThat(backend.releasesOf(backend.claim(0)))
                .as("the lease is not taken")
                .isZero();
        endOf(wait);
    }

    @Test
    void fail_whoHasWaitedLonger_waitsOn() {
        otherFails = true;
        otherSince = Long.MAX_VALUE / 2;
        CompletableFuture<Lease> wait = deadlocked(ME.onDeadlock(OnDeadlock.FAIL));
        beat();
        beatOfBoth();
        beatOfBoth();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        assertThat(wait).isNotDone();
        endOf(wait);
    }

    @Test
    void fail_whoDidNotSaySo_waitsOn() {
        CompletableFuture<Lease> wait = deadlocked(ME);
        beat();
        beatOfBoth();
        beatOfBoth();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        assertThat(wait).isNotDone();
        endOf(wait);
    }

    @Test
    void fail_likelyCore_isOnlyTold() {
        otherCertain = false;
        CompletableFuture<Lease> wait = deadlocked(ME.onDeadlock(OnDeadlock.FAIL));
        beat();
        beatOfBoth();
        beatOfBoth();
        beatOfBoth();
        assertThat(told()).hasSize(1);
        assertThat(told().get(0).certain()).isFalse();
        assertThat(wait).isNotDone();
        endOf(wait);
    }

    // ---- bounds

    /** Sixty-four suspects that wait for as many names: the store is asked at most twenty times in a second. */
    @Test
    void looks_ofManySuspects_areBounded() {
        backend.attempts(claim -> claim.resource().name().startsWith("w")
                ? ScriptedBackend.queued(1, seconds(10)).apply(claim)
                : grant(claim));
        backend.inspections(resource -> Optional.of(new ResourceView(
                resource, List.of(new ResourceView.Holder(OTHER_HOLDS, 1, 1, seconds(9), "")), List.of())));
        List<CompletableFuture<Lease>> waits = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            LockOptions owner = LockOptions.defaults().owner("owner-" + i);
            leases.add(lease(waiting(engine.lock("h" + i, owner))));
            waits.add(waiting(engine.lock("w" + i, owner)));
        }
        runtime.advance(seconds(6));
        assertThat(backend.published().get(0).suspects()).hasSize(WaitRecord.MOST_SUSPECTS);
        assertThat(backend.looks() + backend.published().size()).isLessThanOrEqualTo(20 * 6);
        runtime.advance(seconds(24));
        assertThat(backend.looks()).as("everybody has its turn").isGreaterThan(64);
        waits.forEach(each -> each.cancel(true));
        runtime.run();
        leases.forEach(Lease::close);
        runtime.run();
    }

    @Test
    void delay_outOfBounds_isRefused() {
        assertThat(LockEngine.checkedDeadlockDelay(Duration.ZERO)).isZero();
        assertThat(LockEngine.checkedDeadlockDelay(millis(250))).isEqualTo(millis(250));
        assertThatThrownBy(() -> LockEngine.checkedDeadlockDelay(millis(249))).hasMessageContaining("deadlockDelay");
        assertThatThrownBy(() -> LockEngine.checkedDeadlockDelay(seconds(61))).hasMessageContaining("1m 1s");
        assertThatThrownBy(() -> LockEngine.checkedDeadlockDelay(millis(-1))).hasMessageContaining("-1ms");
    }
}
