package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Deadlock;
import io.holdfast.DeadlockDetected;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Deadlocks of every kind of lock: found across clients and told with everybody in them.
 *
 * @since 0.1
 */
@SuppressWarnings({"LockNotBeforeTry", "MustBeClosedChecker"}) // a party gives back what it took when it goes home
public abstract class DeadlockContract extends DeadlockParties {

    /** For subclasses. */
    protected DeadlockContract() {}

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

    /** Readers of one client share a claim: one of them who is stuck is enough to keep it. */
    @TestWith(Ability.WAITS)
    void readersOfOneClient_oneOfThemStuck_isAMember() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        DistributedReadWriteLock shared = one.readWriteLock(a);
        Lease idle = shared.readLock().acquireAsync().join();
        CountDownLatch ready = new CountDownLatch(2);
        locker("r1", ready, shared.readLock(), one.lock(b));
        locker("w", ready, two.lock(b), two.readWriteLock(a).writeLock());

        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("r1", "w");
        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("r1", "w");
        idle.close();
        sendHome();
    }

    @TestWith(Ability.WAITS)
    void readersOfOneClient_bothStuck_areMembers() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch ready = new CountDownLatch(3);
        locker("r1", ready, one.readWriteLock(a).readLock(), one.lock(b));
        locker("r2", ready, one.readWriteLock(a).readLock(), one.lock(b));
        locker("w", ready, two.lock(b), two.readWriteLock(a).writeLock());

        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("r1", "r2", "w");
        sendHome();
    }

    /** A reader waits behind a writer of its own client, which the store does not see. */
    @TestWith(Ability.WAITS)
    void reader_behindAWriterOfItsClient_isStuckWithIt() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        CountDownLatch readerHolds = new CountDownLatch(2);
        CountDownLatch all = new CountDownLatch(2);
        DistributedReadWriteLock mine = two.readWriteLock(a);
        party(
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
                    mine.writeLock().lockInterruptibly();
                    mine.writeLock().unlock();
                },
                () -> {});
        awaitWaiting(LockKind.READ_WRITE, a, 1);
        locker("r2", all, two.lock(b), mine.readLock());

        assertThat(owners(told(one, b))).containsExactlyInAnyOrder("r1", "r2");
        assertThat(owners(told(two, a))).containsExactlyInAnyOrder("r1", "r2");
        sendHome();
    }

    /** What is found is also seen by an operator, who is no part of it; and what is over is not. */
    @TestWith(Ability.WAITS)
    void inspector_ofAnotherClient_seesIt() {
        String a = name("a");
        String b = name("b");
        LockClient one = looking();
        LockClient two = looking();
        LockClient operator = looking();
        assertThat(about(operator, a)).isEmpty();
        CountDownLatch ready = new CountDownLatch(2);
        locker("x", ready, one.lock(a), one.lock(b));
        locker("y", ready, two.lock(b), two.lock(a));
        told(one, b);

        List<Deadlock> seen = about(operator, a);
        assertThat(seen).hasSize(1);
        assertThat(owners(seen.get(0))).containsExactlyInAnyOrder("x", "y");
        sendHome();
        soon("it is over").until(() -> about(operator, a).isEmpty());
    }

    /** Other tests may share the store. */
    private static List<Deadlock> about(LockClient operator, String name) {
        return operator.inspector().deadlocks().stream()
                .filter(each ->
                        each.members().stream().anyMatch(member -> member.name().equals(name)))
                .toList();
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
}
