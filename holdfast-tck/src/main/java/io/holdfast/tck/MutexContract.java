package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A lock is held by at most one, in whichever style it is taken.
 *
 * @since 0.1
 */
public abstract class MutexContract extends Contract {

    /** For subclasses. */
    protected MutexContract() {}

    @Test
    void take_freeLockInEveryStyle_holdsItUntilGivenBack() throws InterruptedException {
        LockClient client = client();
        for (Style style : Style.values()) {
            String name = name("free " + style);

            Optional<Style.Held> held = style.take(client.lock(name), patience());

            assertThat(held).as("%s of a free lock", style).isPresent();
            assertThat(held.orElseThrow().token()).as("token of %s", style).isPositive();
            assertHeld(name);
            held.orElseThrow().giveBack().run();
            assertFree(name);
        }
    }

    @Test
    void take_heldLockWithoutTimeToWait_isEmptyInEveryStyle() throws InterruptedException {
        String name = name("busy");
        LockClient client = client();
        try (Lease held = client.lock(name).acquire()) {
            for (LockClient contender : List.of(client, client())) {
                DistributedLock lock = contender.lock(name);
                assertThat(lock.tryAcquire()).isEmpty();
                assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
                assertThat(lock.tryAcquireAsync(Duration.ZERO).join()).isEmpty();
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
                assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
                assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(10))).isFalse();
            }
            assertThat(held.isValid()).isTrue();
        }
        assertFree(name);
    }

    @Test
    void take_heldLockForBoundedTime_isEmptyButNotBeforeThatTime() throws InterruptedException {
        String name = name("busy");
        LockClient client = client();
        try (Lease held = client.lock(name).acquire()) {
            for (LockClient contender : List.of(client, client())) {
                for (Style style : Style.values()) {
                    if (!style.bounded()) {
                        continue;
                    }
                    Duration wait = millis(60);
                    long start = nanoTime();

                    Optional<Style.Held> taken = style.take(contender.lock(name), wait);

                    assertThat(taken).as("%s of a held lock", style).isEmpty();
                    assertThat(Duration.ofNanos(nanoTime() - start))
                            .as("wait of %s", style)
                            .isGreaterThanOrEqualTo(wait);
                }
            }
            assertThat(held.isValid()).isTrue();
        }
        awaitWaiting(LockKind.LOCK, name, 0);
        assertFree(name);
    }

    @Test
    void take_heldLockInEveryWaitingStyle_getsItAfterTheRelease() {
        LockClient holder = client();
        for (LockClient contender : List.of(holder, client())) {
            for (Style style : Style.values()) {
                if (style.once()) {
                    continue;
                }
                String name = name("handed over " + style);
                AtomicBoolean released = new AtomicBoolean();
                Lease held = holder.lock(name).acquire();
                Crew.Hand<Boolean> waiter = crew().ask("waiter " + style, () -> {
                    Style.Held taken =
                            style.take(contender.lock(name), patience()).orElseThrow();
                    boolean wasReleased = released.get();
                    assertThat(taken.token()).isGreaterThan(held.token());
                    taken.giveBack().run();
                    return wasReleased;
                });
                awaitContended(contender, name, 1);
                assertThat(waiter.isDone())
                        .as("%s returned before the release", style)
                        .isFalse();

                released.set(true);
                held.close();

                assertThat(waiter.result())
                        .as("%s got in before the release", style)
                        .isTrue();
                assertFree(name);
            }
        }
    }

    @Test
    void contention_manyClientsThreadsAndStyles_nobodyMeetsAnybody() {
        String name = name("contended");
        Section section = new Section(1);
        contend(name, section, 20);
        assertThat(section.passes()).isEqualTo(3 * 4 * 20);
        section.verify();
    }

    @Test
    void contention_withoutTheLock_isNoticed() throws Exception {
        Section section = new Section(1);
        CyclicBarrier bothInside = new CyclicBarrier(2);
        Crew.Work unprotected = () -> section.pass(() -> meet(bothInside));
        Crew.Hand<Boolean> one = crew().run("one", unprotected);
        Crew.Hand<Boolean> other = crew().run("other", unprotected);
        assertThat(one.result() && other.result()).isTrue();

        assertThat(section.mostInside()).isEqualTo(2);
        assertThatThrownBy(section::verify).isInstanceOf(AssertionError.class);
    }

    /** Three clients with four threads each; every thread goes through all styles. */
    private void contend(String name, Section section, int rounds) {
        List<Style> styles = List.of(Style.values());
        for (int c = 0; c < 3; c++) {
            LockClient client = client();
            for (int t = 0; t < 4; t++) {
                int offset = c * 4 + t;
                crew().run("contender " + offset, () -> {
                    for (int round = 0; round < rounds; round++) {
                        Style style = styles.get((offset + round) % styles.size());
                        Style.Held held = insist(style, client.lock(name));
                        section.pass();
                        held.giveBack().run();
                    }
                });
            }
        }
        crew().finish();
    }

    /** A style that tries once tries again; the last resort is one that waits, so that nobody spins for ever. */
    private Style.Held insist(Style style, DistributedLock lock) throws InterruptedException {
        for (int tries = 0; tries < 20; tries++) {
            Optional<Style.Held> held = style.take(lock, patience());
            if (held.isPresent()) {
                return held.get();
            }
            assertThat(style.once()).as("%s gave up", style).isTrue();
        }
        return Style.WAIT.take(lock, patience()).orElseThrow();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError("the two did not meet", failure);
        }
    }

    @Test
    void acquire_twoNames_areIndependent() {
        String one = name("one");
        String other = name("other");
        try (Lease first = client().lock(one).acquire();
                Lease second = client().lock(other).tryAcquire().orElseThrow()) {
            assertThat(first.isValid() && second.isValid()).isTrue();
            assertThat(first.name()).isEqualTo(one);
            assertThat(second.name()).isEqualTo(other);
        }
    }

    @Test
    void acquire_sameNameInEveryKind_doesNotMeet() {
        String name = name("shared");
        LockClient client = client();
        LockClient other = client();
        try (Lease lock = client.lock(name).acquire();
                Lease write = other.readWriteLock(name).writeLock().tryAcquire().orElseThrow();
                Lease permit = client.semaphore(name, 1).tryAcquire().orElseThrow()) {
            assertThat(lock.isValid() && write.isValid() && permit.isValid()).isTrue();
        }
    }

    @Test
    void lock_openedTwiceUnderOneName_isOneLock() {
        String name = name("twice");
        LockClient client = client();
        try (Lease lease = client.lock(name).acquire()) {
            assertThat(client.lock(name).tryAcquire()).isEmpty();
            assertThat(client.lock(name).name()).isEqualTo(name);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(client.lock(name).tryAcquire().map(MutexContract::closed)).contains(true);
    }

    private static boolean closed(Lease lease) {
        lease.close();
        return !lease.isValid();
    }

    @Test
    void acquire_holderCrashed_getsItWhenItsLeaseEnds() {
        String name = name("crashed");
        RawClient crashing = rawClient();
        long token = crashing.grant(crashing.claim(new Resource(LockKind.LOCK, name, 1), 1, millis(600)));
        LockClient client = client();
        Crew.Hand<Long> waiter = crew().ask("waiter", () -> {
            try (Lease lease = client.lock(name).acquire()) {
                return lease.token();
            }
        });
        awaitContended(client, name, 1);

        crashing.close();

        assertThat(waiter.result()).isGreaterThan(token);
        assertFree(name);
    }

    @Test
    void acquire_waiterBeforeItCrashed_isNotHeldUpForLong() {
        String name = name("dead waiter");
        Resource resource = new Resource(LockKind.LOCK, name, 1);
        Lease held = client().lock(name).acquire();
        RawClient crashing = rawClient();
        crashing.attempt(crashing.claim(resource, 1, millis(600)));
        LockClient client = client();
        Crew.Hand<Long> waiter = crew().ask("waiter", () -> {
            try (Lease lease = client.lock(name).acquire()) {
                return lease.token();
            }
        });
        awaitContended(client, name, 1);

        crashing.close();
        held.close();

        assertThat(waiter.result()).isGreaterThan(held.token());
    }
}
