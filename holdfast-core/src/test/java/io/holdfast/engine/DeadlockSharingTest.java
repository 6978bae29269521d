package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.WaitRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Whose is what a client shows of itself, where threads share a claim, pass it on, or wait behind each other: the store
 * sees one claim only. "b" is never granted; everything else is.
 */
class DeadlockSharingTest extends EngineFixture {
    private static final LockOptions ME = LockOptions.defaults().owner("me");
    private static final LockOptions YOU = LockOptions.defaults().owner("you");

    private final List<Lease> leases = new ArrayList<>();
    private final List<CompletableFuture<Lease>> waits = new ArrayList<>();

    DeadlockSharingTest() {
        backend.attempts(allBut("b", ScriptedBackend.queued(1, seconds(10))));
    }

    private Lease held(CompletableFuture<Lease> future) {
        runtime.run();
        Lease lease = lease(future);
        leases.add(lease);
        return lease;
    }

    private void waits(CompletableFuture<Lease> future) {
        runtime.run();
        assertThat(future).isNotDone();
        waits.add(future);
    }

    private WaitRecord shown() {
        for (int i = 0; i < 400 && backend.published().isEmpty(); i++) {
            runtime.advance(millis(10));
        }
        assertThat(backend.published()).as("a beat").isNotEmpty();
        return backend.published().get(0);
    }

    private void allGoHome() {
        waits.forEach(each -> each.cancel(true));
        runtime.run();
        leases.forEach(Lease::close);
        runtime.run();
    }

    @Test
    void readers_thatShareAClaim_showEachItsOwnLease() {
        Lease mine = held(engine.readWriteLock("a", ME).readLock().acquireAsync());
        Lease yours = held(engine.readWriteLock("a", YOU).readLock().acquireAsync());
        Lease nobodys = held(engine.readWriteLock("a").readLock().acquireAsync());
        assertThat(asked()).as("one claim for all of them").containsExactly("a");
        waits(engine.lock("b", ME).acquireAsync());
        waits(engine.lock("b", YOU).acquireAsync());

        WaitRecord record = shown();
        assertThat(record.suspects()).extracting(WaitRecord.Suspect::owner).containsExactly("me", "you");
        assertThat(record.suspects().get(0).holds())
                .extracting(WaitRecord.Hold::token)
                .containsExactly(mine.token());
        assertThat(record.suspects().get(1).holds())
                .extracting(WaitRecord.Hold::token)
                .containsExactly(yours.token());
        assertThat(record.suspects())
                .allSatisfy(suspect -> assertThat(suspect.holds())
                        .extracting(WaitRecord.Hold::claim)
                        .containsExactly(backend.claim(0).id()));
        assertThat(nobodys.token()).isNotEqualTo(mine.token());
        allGoHome();
    }

    @Test
    void readers_oneOfThemCloses_showsTheOtherOnly() {
        held(engine.readWriteLock("a", ME).readLock().acquireAsync()).close();
        Lease yours = held(engine.readWriteLock("a", YOU).readLock().acquireAsync());
        waits(engine.lock("b", ME).acquireAsync());
        waits(engine.lock("b", YOU).acquireAsync());

        assertThat(shown().suspects())
                .singleElement()
                .satisfies(suspect -> assertThat(suspect.holds())
                        .extracting(WaitRecord.Hold::token)
                        .containsExactly(yours.token()));
        allGoHome();
    }

    /** The claim stays, and is another's. */
    @Test
    void permit_passedOnInTheClient_isItsNewOwners_withAnotherToken() {
        Lease mine = held(engine.semaphore("a", 1, ME).acquireAsync());
        CompletableFuture<Lease> next = engine.semaphore("a", 1, YOU).acquireAsync();
        runtime.run();
        assertThat(next).isNotDone();
        mine.close();
        Lease yours = held(next);
        assertThat(asked()).as("passed on without the store").containsExactly("a");
        waits(engine.lock("b", ME).acquireAsync());
        waits(engine.lock("b", YOU).acquireAsync());

        assertThat(shown().suspects()).singleElement().satisfies(suspect -> {
            assertThat(suspect.owner()).isEqualTo("you");
            assertThat(suspect.holds()).extracting(WaitRecord.Hold::token).containsExactly(yours.token());
            assertThat(suspect.holds())
                    .extracting(WaitRecord.Hold::claim)
                    .containsExactly(backend.claim(0).id());
        });
        allGoHome();
    }

    @Test
    void reader_behindAWriterOfItsClient_showsWhatIsBeforeIt() {
        held(engine.lock("a", ME).acquireAsync());
        held(engine.lock("c", YOU).acquireAsync());
        waits(engine.readWriteLock("b", YOU).writeLock().acquireAsync());
        waits(engine.readWriteLock("b", ME).readLock().acquireAsync());
        Claim asking = backend.claim(2);

        List<WaitRecord.Suspect> suspects = shown().suspects();
        assertThat(suspects).extracting(WaitRecord.Suspect::owner).containsExactly("you", "me");
        assertThat(suspects)
                .extracting(WaitRecord.Suspect::place)
                .containsExactly(WaitRecord.Place.LINE, WaitRecord.Place.BEHIND);
        assertThat(suspects).extracting(WaitRecord.Suspect::claim).containsOnly(asking.id());
        assertThat(suspects).extracting(WaitRecord.Suspect::most).containsOnly(Resource.ALL_READERS);
        assertThat(suspects).extracting(WaitRecord.Suspect::weight).containsExactly(Resource.ALL_READERS, 1);
        allGoHome();
    }

    @Test
    void waiter_behindTheLockOfItsClient_isLocal() {
        held(engine.lock("a", YOU).acquireAsync());
        held(engine.lock("c", ME).acquireAsync());
        waits(engine.lock("a", ME).acquireAsync());

        assertThat(shown().suspects()).singleElement().satisfies(suspect -> {
            assertThat(suspect.place()).isEqualTo(WaitRecord.Place.LOCAL);
            assertThat(suspect.claim()).isEqualTo(backend.claim(0).id());
        });
        allGoHome();
    }

    /** A record lives for a few seconds: whoever looks rarely must not show it more rarely than that. */
    @Test
    void beat_ofALongDelay_isShorterThanARecordLives() {
        TestRuntime slow = new TestRuntime();
        ScriptedBackend store = new ScriptedBackend(slow);
        store.attempts(claim -> claim.resource().name().equals("b")
                ? ScriptedBackend.queued(1, seconds(10)).apply(claim)
                : store.grant(claim));
        try (LockEngine patient = LockEngine.start("patient", store, LockOptions.defaults(), slow, seconds(20))) {
            CompletableFuture<Lease> first = patient.lock("a", ME).acquireAsync();
            slow.run();
            Lease lease = lease(first);
            CompletableFuture<Lease> wait = patient.lock("b", ME).acquireAsync();
            slow.run();
            slow.advance(seconds(19));
            assertThat(store.published()).isEmpty();
            slow.advance(seconds(8));
            assertThat(store.published()).hasSizeGreaterThanOrEqualTo(3);
            wait.cancel(true);
            slow.run();
            lease.close();
        }
        slow.run();
    }

    /** A thread that holds with one client and waits with another, which are both on one store. */
    @Test
    void thread_thatUsesTwoClients_isOneOwner() throws Exception {
        TestRuntime clock = new TestRuntime();
        ScriptedBackend sibling = new ScriptedBackend(clock);
        sibling.attempts(sibling::grant);
        backend.storeId("store");
        sibling.storeId("store");
        LockEngine other = LockEngine.start("other", sibling, LockOptions.defaults(), clock);
        Thread user = new Thread(() -> {
            try (Lease held = other.lock("a").tryAcquire().orElseThrow()) {
                held.ensureValid();
                engine.lock("b").acquireInterruptibly().close();
            } catch (InterruptedException sentHome) {
                Thread.currentThread().interrupt();
            }
        });
        user.start();
        await().until(() -> engine.parts.waiting.size() > 0);
        for (int i = 0; i < 1_000 && sibling.published().isEmpty(); i++) {
            runtime.advance(millis(10));
            clock.advance(millis(10));
        }
        assertThat(backend.published()).isNotEmpty();
        WaitRecord.Suspect suspect = backend.published().get(0).suspects().get(0);
        assertThat(suspect.claim().client()).isEqualTo("client");
        assertThat(suspect.holds())
                .singleElement()
                .satisfies(hold -> assertThat(hold.claim().client()).isEqualTo("other"));
        assertThat(sibling.published().get(0).suspects()).containsExactly(suspect);
        user.interrupt();
        user.join();
        other.close();
        clock.run();
    }
}
