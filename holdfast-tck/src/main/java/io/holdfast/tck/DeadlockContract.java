package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Deadlocks: found across clients and told with everybody in them, never told when there was none, and ended only by
 * those who said so.
 *
 * @since 0.1
 */
@SuppressWarnings({"LockNotBeforeTry", "MustBeClosedChecker"}) // a party gives back what it took when it goes home
public abstract class DeadlockContract extends Contract {

    /** For subclasses. */
    protected DeadlockContract() {}

    private final List<Crew.Hand<Boolean>> parties = new ArrayList<>();

    /** Something that takes, waits or gives back. */
    private interface Step {
        void run() throws InterruptedException;
    }

    /** A thread that takes something, and when all have, waits for something else until it is sent home. */
    private Crew.Hand<Boolean> party(String name, CountDownLatch ready, Step take, Step wait, Step giveBack) {
        Crew.Hand<Boolean> hand = crew().ask(name, () -> {
            take.run();
            try {
                ready.countDown();
                assertThat(ready.await(patience().toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
                wait.run();
                return true;
            } catch (InterruptedException sentHome) {
                return false;
            } finally {
                giveBack.run();
            }
        });
        parties.add(hand);
        return hand;
    }

    /** A thread that locks one name and then waits for another. */
    private Crew.Hand<Boolean> locker(
            String name, CountDownLatch ready, DistributedLock first, DistributedLock second) {
        return party(
                name,
                ready,
                first::lock,
                () -> {
                    second.lockInterruptibly();
                    second.unlock();
                },
                first::unlock);
    }

    private void sendHome() {
        parties.forEach(Crew.Hand::interrupt);
        parties.forEach(Crew.Hand::result);
    }

    private LockClient looking() {
        return lookingClient(defaults());
    }

    private Deadlock told(LockClient client, String waitedFor) {
        return events(client).await(DeadlockDetected.class, waitedFor, 1).get(0).deadlock();
    }

    private static List<String> owners(Deadlock deadlock) {
        return deadlock.members().stream().map(Deadlock.Member::owner).toList();
    }

    private void assertNothingTold(LockClient client, String... names) {
        always("no deadlock is told", millis(3_000), () -> {
            for (String name : names) {
                assertThat(events(client).all(DeadlockDetected.class, name)).isEmpty();
            }
            return true;
        });
    }

    @TestWith(Ability.WAITS)
    void twoClients_crosswise_areToldOnceEach() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(2);
        locker("x", ready, one.lock(a), one.lock(b));
        locker("y", ready, two.lock(b), two.lock(a));

        Deadlock deadlock = told(one, b);
        assertThat(owners(deadlock)).containsExactlyInAnyOrder("x", "y");
        assertThat(deadlock.certain()).isTrue();
        assertThat(deadlock.endsBy()).isEmpty();
        assertThat(deadlock.members()).allSatisfy(member -> {
            assertThat(member.name()).isEqualTo(member.owner().equals("x") ? b : a);
            assertThat(member.kind()).isEqualTo(LockKind.LOCK);
            assertThat(member.holds())
                    .extracting(Deadlock.Hold::name)
                    .containsExactly(member.owner().equals("x") ? a : b);
            assertThat(member.waited()).isPositive();
        });
        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("x", "y");
        always(
                "told once",
                millis(1_500),
                () -> events(one).all(DeadlockDetected.class, b).size() == 1);
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void threeClients_inACircle_andOneBehind_areThreeMembers() {
        String a = name("a");
        String b = name("b");
        String c = name("c");
        String d = name("d");
        LockClient one = looking();
        LockClient two = looking();
        LockClient three = looking();
        LockClient behind = looking();
        CountDownLatch ready = new CountDownLatch(4);
        locker("x", ready, one.lock(a), one.lock(b));
        locker("y", ready, two.lock(b), two.lock(c));
        locker("z", ready, three.lock(c), three.lock(a));
        locker("behind", ready, behind.lock(d), behind.lock(a));

        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("x", "y", "z");
        assertThat(owners(told(two, c))).containsExactlyInAnyOrder("x", "y", "z");
        assertThat(owners(told(three, a))).containsExactlyInAnyOrder("x", "y", "z");
        assertThat(events(behind).all(DeadlockDetected.class, a)).isEmpty();
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void circle_partlyInsideOneClient_isFound() {
        String a = name("a");
        String b = name("b");
        String c = name("c");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(3);
        locker("x", ready, one.lock(a), one.lock(b));
        locker("y", ready, one.lock(b), one.lock(c));
        locker("z", ready, two.lock(c), two.lock(a));

        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("x", "y", "z");
        soon("told where two of them are")
                .until(() -> !events(one).all(DeadlockDetected.class, b).isEmpty()
                        || !events(one).all(DeadlockDetected.class, c).isEmpty());
        sendHome();
    }

    @Test
    void thread_acquiresTwice_waitsForItself() {
        String a = name("a");
        LockClient one = looking();
        CountDownLatch ready = new CountDownLatch(1);
        List<Lease> held = new ArrayList<>();
        party(
                "x",
                ready,
                () -> held.add(one.lock(a).acquire()),
                () -> one.lock(a).acquireInterruptibly().close(),
                () -> held.get(0).close());

        Deadlock deadlock = told(one, a);
        assertThat(owners(deadlock)).containsExactly("x");
        assertThat(deadlock.members().get(0).holds())
                .extracting(Deadlock.Hold::token)
                .containsExactly(held.get(0).token());
        sendHome();
    }

    @Test
    void reader_wantsToWrite_waitsForItself() {
        String a = name("a");
        LockClient one = looking();
        DistributedReadWriteLock lock = one.readWriteLock(a);
        CountDownLatch ready = new CountDownLatch(1);
        List<Lease> held = new ArrayList<>();
        party(
                "x",
                ready,
                () -> held.add(lock.readLock().acquire()),
                () -> lock.writeLock().acquireInterruptibly().close(),
                () -> held.get(0).close());

        assertThat(owners(told(one, a))).containsExactly("x");
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void writerWithEmptyHands_betweenReaders_isNoMemberButAnEdge() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        LockClient three = looking();
        CountDownLatch readerHolds = new CountDownLatch(2);
        CountDownLatch all = new CountDownLatch(2);
        Crew.Hand<Boolean> first = party(
                "r1",
                all,
                () -> {
                    one.readWriteLock(a).readLock().lock();
                    readerHolds.countDown();
                },
                () -> {
                    one.lock(b).lockInterruptibly();
                    one.lock(b).unlock();
                },
                () -> one.readWriteLock(a).readLock().unlock());
        party(
                "w",
                readerHolds,
                () -> {},
                () -> {
                    two.readWriteLock(a).writeLock().lockInterruptibly();
                    two.readWriteLock(a).writeLock().unlock();
                },
                () -> {});
        awaitWaiting(LockKind.READ_WRITE, a, 1);
        party(
                "r2",
                all,
                () -> three.lock(b).lock(),
                () -> {
                    three.readWriteLock(a).readLock().lockInterruptibly();
                    three.readWriteLock(a).readLock().unlock();
                },
                () -> three.lock(b).unlock());

        assertThat(first.isDone()).isFalse();
        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("r1", "r2");
        assertThat(owners(told(three, a))).containsExactlyInAnyOrder("r1", "r2");
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void permits_bothWantOneMore_isFound() {
        String pool = name("pool");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(2);
        for (LockClient client : List.of(one, two)) {
            DistributedSemaphore permits = client.semaphore(pool, 2);
            List<Lease> held = new ArrayList<>();
            party(
                    client == one ? "x" : "y",
                    ready,
                    () -> held.add(permits.acquire()),
                    () -> permits.acquireInterruptibly().close(),
                    () -> held.get(0).close());
        }

        assertThat(owners(told(one, pool))).containsExactlyInAnyOrder("x", "y");
        assertThat(told(two, pool).certain())
                .as("another thread may close a lease")
                .isFalse();
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void permit_passedToAnotherThread_isThatThreads() {
        String pool = name("pool");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        DistributedSemaphore permits = one.semaphore(pool, 1);
        permits.acquire().close();
        CountDownLatch ready = new CountDownLatch(2);
        List<Lease> held = new ArrayList<>();
        party(
                "x",
                ready,
                () -> held.add(permits.acquire()),
                () -> {
                    one.lock(b).lockInterruptibly();
                    one.lock(b).unlock();
                },
                () -> held.get(0).close());
        party(
                "y",
                ready,
                () -> two.lock(b).lock(),
                () -> two.semaphore(pool, 1).acquireInterruptibly().close(),
                () -> two.lock(b).unlock());

        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("x", "y");
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void readersOfTwoClients_againstAWriter_areAllMembers() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        LockClient three = looking();
        CountDownLatch ready = new CountDownLatch(3);
        for (LockClient client : List.of(one, two)) {
            locker(client == one ? "r1" : "r2", ready, client.readWriteLock(a).readLock(), client.lock(b));
        }
        locker("w", ready, three.lock(b), three.readWriteLock(a).writeLock());

        assertThat(owners(told(three, a))).containsExactlyInAnyOrder("r1", "r2", "w");
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void multiLock_againstSingleLocks_isCertainWhileItTakes() {
        String a = name("a") + "1";
        String b = a.substring(0, a.length() - 1) + "2";
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(2);
        party("x", ready, () -> {}, () -> one.allOf(a, b).acquireInterruptibly().close(), () -> {});
        party(
                "y",
                ready,
                () -> two.lock(b).lock(),
                () -> {
                    awaitHeldBy(one, a);
                    two.lock(a).lockInterruptibly();
                    two.lock(a).unlock();
                },
                () -> two.lock(b).unlock());

        Deadlock deadlock = told(two, a);
        assertThat(owners(deadlock)).containsExactlyInAnyOrder("x", "y");
        assertThat(deadlock.certain()).isTrue();
        sendHome();
    }

    private void awaitHeldBy(LockClient client, String name) {
        soon(name + " is held")
                .until(() -> look(LockKind.LOCK, name).holders().stream()
                        .anyMatch(holder -> holder.claim().client().equals(client.id())));
    }

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
                false,
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
