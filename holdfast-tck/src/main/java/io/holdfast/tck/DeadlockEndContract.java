package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DeadlockDetected;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockDeadlockException;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.OnDeadlock;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import io.holdfast.testing.ForwardingBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Deadlocks and what comes of them: never told when there was none, ended only by those who said so, and nothing is
 * left of those who wait no more.
 *
 * @since 0.1
 */
@SuppressWarnings({"LockNotBeforeTry", "MustBeClosedChecker"}) // a party gives back what it took when it goes home
public abstract class DeadlockEndContract extends DeadlockParties {

    /** For subclasses. */
    protected DeadlockEndContract() {}

    @TestWith(Ability.WAITS)
    void futures_ofANamedOwner_areFound_andOfNobodyAreNot() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        LockOptions order = defaults().owner("order-42");
        Lease held = one.lock(a, order).acquireAsync().join();
        CountDownLatch ready = new CountDownLatch(1);
        locker("y", ready, two.lock(b), two.lock(a));
        awaitHeldBy(two, b);
        CompletableFuture<Lease> waiting = one.lock(b, order).acquireAsync();

        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("order-42", "y");
        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("order-42", "y");
        waiting.cancel(true);
        held.close();
        sendHome();

        String c = name("c");
        Lease nobodys = one.lock(a).acquireAsync().join();
        Lease alsoNobodys = two.lock(c).acquireAsync().join();
        CompletableFuture<Lease> first = one.lock(c).acquireAsync();
        CompletableFuture<Lease> second = two.lock(a).acquireAsync();
        assertNothingTold(one, c);
        first.cancel(true);
        second.cancel(true);
        nobodys.close();
        alsoNobodys.close();
    }

    @TestWith(Ability.WAITS)
    void boundedWait_isToldWithItsEnd() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(2);
        party(
                "x",
                ready,
                () -> one.lock(a).lock(),
                () -> one.lock(b).tryAcquire(patience()).ifPresent(Lease::close),
                () -> one.lock(a).unlock());
        locker("y", ready, two.lock(b), two.lock(a));

        assertThat(told(two, a).endsBy()).isPresent();
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void fail_oneGivesUp_theOthersGoOn() {
        String a = name("a");
        String b = name("b");
        LockOptions fails = defaults().onDeadlock(OnDeadlock.FAIL);
        LockClient one = lookingClient(fails);
        LockClient two = lookingClient(fails);
        CountDownLatch ready = new CountDownLatch(2);
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger successes = new AtomicInteger();
        for (LockClient client : List.of(one, two)) {
            DistributedLock first = client.lock(client == one ? a : b);
            DistributedLock second = client.lock(client == one ? b : a);
            party(
                    client == one ? "x" : "y",
                    ready,
                    first::lock,
                    () -> {
                        try {
                            second.lock();
                            first.lease().ensureValid();
                            successes.incrementAndGet();
                            second.unlock();
                        } catch (LockDeadlockException gaveUp) {
                            assertThat(owners(gaveUp.deadlock())).containsExactlyInAnyOrder("x", "y");
                            assertThat(gaveUp.lockName()).isEqualTo(second.name());
                            first.lease().ensureValid(); // nobody takes that away
                            failures.incrementAndGet();
                        }
                    },
                    first::unlock);
        }

        parties.forEach(Crew.Hand::result);
        assertThat(failures).hasValue(1);
        assertThat(successes).hasValue(1);
        assertFree(a);
        assertFree(b);
    }

    @TestWith(Ability.WAITS)
    void fail_likelyDeadlock_isOnlyTold() {
        String a = name("a");
        String b = name("b");
        LockOptions fails = defaults().onDeadlock(OnDeadlock.FAIL);
        LockClient one = lookingClient(fails);
        LockClient two = lookingClient(fails);
        CountDownLatch ready = new CountDownLatch(2);
        for (LockClient client : List.of(one, two)) {
            List<Lease> held = new ArrayList<>();
            party(
                    client == one ? "x" : "y",
                    ready,
                    () -> held.add(client.lock(client == one ? a : b).acquire()),
                    () -> client.lock(client == one ? b : a)
                            .acquireInterruptibly()
                            .close(),
                    () -> held.get(0).close());
        }

        assertThat(told(one, b).certain()).isFalse();
        assertThat(told(two, a).certain()).isFalse();
        always("nobody fails", millis(1_000), () -> parties.stream().noneMatch(Crew.Hand::isDone));
        sendHome();
    }

    /** Publishes once, and then never again: as if its process had been killed or stopped. */
    private static final class Silenced extends ForwardingBackend {
        private final AtomicInteger publications = new AtomicInteger();

        Silenced(LockBackend target) {
            super(target);
        }

        @Override
        public void publishWaits(WaitRecord record) {
            if (publications.incrementAndGet() == 1) {
                super.publishWaits(record);
            }
        }
    }

    @TestWith(Ability.WAITS)
    void member_thatDoesNotCountOn_isNotTold() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = lookingClient(new Silenced(fixture().newBackend()), defaults());
        CountDownLatch ready = new CountDownLatch(2);
        locker("x", ready, one.lock(a), one.lock(b));
        locker("y", ready, two.lock(b), two.lock(a));

        awaitWaiting(LockKind.LOCK, a, 1);
        awaitWaiting(LockKind.LOCK, b, 1);
        assertNothingTold(one, b);
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void orderedLocking_underLoad_isNeverTold() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        List<Crew.Hand<Boolean>> hands = new ArrayList<>();
        long untilNanos = nanoTime() + millis(3_000).toNanos();
        for (int i = 0; i < 6; i++) {
            LockClient client = i % 2 == 0 ? one : two;
            hands.add(crew().run("worker-" + i, () -> {
                while (nanoTime() - untilNanos < 0) {
                    try (Lease first = client.lock(a).acquire();
                            Lease second = client.lock(b).acquire()) {
                        first.ensureValid();
                        second.ensureValid();
                    }
                }
            }));
        }
        hands.forEach(Crew.Hand::result);
        assertThat(events(one).all(DeadlockDetected.class, a)).isEmpty();
        assertThat(events(one).all(DeadlockDetected.class, b)).isEmpty();
        assertThat(events(two).all(DeadlockDetected.class, b)).isEmpty();
    }

    @TestWith(Ability.WAITS)
    void closedClient_leavesNoRecord() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(2);
        Crew.Hand<Boolean> closed = crew().ask("x", () -> {
            one.lock(a).lock();
            ready.countDown();
            assertThat(ready.await(patience().toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            one.lock(b).lock();
            return true;
        });
        Crew.Hand<Boolean> other = locker("y", ready, two.lock(b), two.lock(a));
        told(one, b);
        LockBackend observer = observer().backend();
        assertThat(observer.waitsOf(one.id())).isPresent();
        one.close();

        assertThat(closed.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(other.result()).isTrue();
        assertThat(observer.waitsOf(one.id())).isEmpty();
        soon("whoever waits no more is not shown")
                .until(() -> observer.waitsOf(two.id()).isEmpty());
    }

    @TestWith(Ability.WAITS)
    void records_arePublishedReplacedAndRemoved() {
        LockBackend one = rawClient().backend();
        String other = "somebody-" + name("x");
        WaitRecord.Suspect suspect = new WaitRecord.Suspect(
                1,
                "key",
                "owner",
                false,
                new Resource(LockKind.LOCK, name("a"), 1),
                1,
                1,
                new ClaimId(other, 1),
                WaitRecord.Place.LINE,
                1,
                0,
                List.of());
        WaitRecord first = new WaitRecord(other, 1, 1, List.of(suspect));
        WaitRecord second = new WaitRecord(other, 2, 1, List.of(suspect, suspect));

        assertThat(one.waitsOf(other)).isEmpty();
        one.publishWaits(first);
        assertThat(observer().backend().waitsOf(other)).contains(WaitText.of(first));
        one.publishWaits(second);
        assertThat(observer().backend().waitsOf(other)).contains(WaitText.of(second));
        one.publishWaits(new WaitRecord(other, 3, 1, List.of()));
        assertThat(observer().backend().waitsOf(other)).isEmpty();
    }
}
