package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.RenewResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that gives no lease longer than some time: nobody asks it for more. */
class LongestLeaseTest {
    private static final Duration LONGEST = Duration.ofSeconds(12);
    private static final Duration TOO_LONG = Duration.ofSeconds(13);
    private static final LockOptions FIXED = LockOptions.defaults().fixedLease(TOO_LONG);
    private static final LockOptions RENEWED = LockOptions.defaults().lease(TOO_LONG);

    private final TestRuntime runtime = new TestRuntime();
    private final ScriptedBackend store = new ScriptedBackend(runtime, LONGEST);
    private final LockEngine engine = LockEngine.start("client", store, LockOptions.defaults(), runtime);

    @AfterEach
    void nothingIsLeftBehind() {
        engine.close();
        assertThat(engine.leftovers()).isZero();
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lease of 13s for 'a' is longer than 12s")
                .hasMessageContaining("ask for less, let the lease be renewed, or raise longestLease()");
    }

    @Test
    void fixedLease_tooLong_refusedWhenTheLockIsOpened() {
        List<Consumer<LockClient>> openings = List.of(
                client -> client.lock("a", FIXED),
                client -> client.readWriteLock("a", FIXED).readLock(),
                client -> client.semaphore("a", 3, FIXED),
                client -> client.election("a", FIXED),
                client -> client.allOf(List.of("a"), FIXED),
                client -> client.withDefaults(FIXED).lock("a"));
        for (Consumer<LockClient> opening : openings) {
            assertRefused(() -> opening.accept(engine));
        }
        assertThat(store.calls()).isEmpty();
    }

    /** Whether a crash empties a table, for instance, only the database can tell. */
    @Test
    void limit_thatTheStoreFindsOutWhenItStarts_isKept() {
        TestRuntime other = new TestRuntime();
        ScriptedBackend late = new ScriptedBackend(other);
        late.onStart(() -> late.limit(LONGEST));
        try (LockClient client = LockEngine.start("client", late, LockOptions.defaults(), other)) {
            assertRefused(() -> client.lock("a", FIXED));
            assertRefused(() -> tryLock(client.lock("a")));
        }
    }

    @Test
    void fixedLease_asLongAsTheLongest_isGiven() {
        Lease lease =
                engine.lock("a", LockOptions.defaults().fixedLease(LONGEST)).acquire();
        assertThat(lease.remaining()).isEqualTo(EngineFixture.usable(LONGEST));
        lease.close();
    }

    @Test
    void tryLock_fixedLeaseTooLong_refusedAndWhatIsHeldStays() {
        DistributedLock lock = engine.lock("a");
        assertRefused(() -> tryLock(lock));
        lock.lock();
        assertRefused(() -> tryLock(lock));
        assertThat(lock.holdCount()).isOne();
        assertThat(store.attempts()).hasSize(1);
        assertThat(store.renewals()).isEmpty();
        lock.unlock();
    }

    private static void tryLock(DistributedLock lock) {
        try {
            lock.tryLock(Duration.ZERO, TOO_LONG);
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void renewedLease_tooLong_shortenedAndRenewedMoreOften() {
        Lease lease = engine.lock("a", LockOptions.defaults().lease(Duration.ofMinutes(2)))
                .acquire();
        assertThat(store.claim(0).lease()).isEqualTo(LONGEST);
        assertThat(lease.remaining()).isEqualTo(EngineFixture.usable(LONGEST));

        for (int thirds = 0; thirds < 30; thirds++) {
            runtime.advance(LONGEST.dividedBy(3));
            assertThat(lease.remaining()).isGreaterThan(LONGEST.dividedBy(2));
        }

        assertThat(store.renewals())
                .hasSizeGreaterThan(25)
                .allSatisfy(call -> assertThat(call.renewals().get(0).lease()).isEqualTo(LONGEST));
        lease.close();
    }

    @Test
    void renewedLease_reentryAsksForTooMuch_getsTheLongest() {
        DistributedLock brief = engine.lock("a", LockOptions.defaults().lease(Duration.ofSeconds(5)));
        DistributedLock tooLong = engine.lock("a", RENEWED);
        brief.lock();
        tooLong.lock();
        assertThat(brief.lease().remaining()).isEqualTo(EngineFixture.usable(LONGEST));
        assertThat(store.renewals().get(0).renewals().get(0).lease()).isEqualTo(LONGEST);
        brief.unlock();
        tooLong.unlock();
    }

    @Test
    void extend_tooLong_refusedAndTheLeaseGoesOn() {
        Lease lease = engine.lock("a").acquire();
        assertRefused(() -> lease.extend(TOO_LONG));
        assertThat(lease.isValid()).isTrue();
        assertThat(store.renewals()).isEmpty();
        lease.extend(LONGEST);
        assertThat(store.renewals()).hasSize(1);
        lease.close();
    }

    /** The engine takes what it is given: it never believes in more, and renews in time. */
    @Test
    void renewal_storeGivesLessThanAsked_lastsThatLongAndIsRenewedInTime() {
        Duration given = Duration.ofSeconds(3);
        store.renewals(renewals -> renewals.stream()
                .<RenewResult>map(renewal -> new RenewResult.Renewed(given))
                .toList());
        Lease lease = engine.lock("a").acquire();
        runtime.advance(LONGEST);
        for (int step = 0; step < 30; step++) {
            runtime.advance(Duration.ofMillis(500));
            assertThat(lease.remaining()).isPositive().isLessThan(given);
        }
        lease.close();
    }

    @Test
    void countDown_storeWithALongestLease_asksForADayAllTheSame() throws InterruptedException {
        engine.latch("a", 1).countDown();
        assertThat(store.claim(0).lease()).isEqualTo(LockOptions.LONGEST_LEASE);
        engine.latch("a", 1).await();
        assertThat(store.claim(1).lease()).isEqualTo(LONGEST);
    }
}
