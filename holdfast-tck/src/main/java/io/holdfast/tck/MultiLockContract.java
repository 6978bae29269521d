package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import io.holdfast.MultiLease;
import io.holdfast.MultiLock;
import io.holdfast.spi.Resource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Several locks together: all or none, in one order.
 *
 * @since 0.1
 */
@SuppressWarnings("LockNotBeforeTry") // These tests look between lock and unlock; a failure closes the client.
public abstract class MultiLockContract extends Contract {

    /** For subclasses. */
    protected MultiLockContract() {}

    @Test
    void names_givenInAnyOrderAndTwice_areOneOrderEachOnce() {
        LockClient client = client();
        String a = name("a");
        String b = name("b");
        String c = name("c");
        MultiLock lock = client.allOf(c, a, b, a, c);

        assertThat(lock.names()).containsExactlyInAnyOrder(a, b, c);
        assertThat(client.allOf(b, c, a).names()).isEqualTo(lock.names());
        try (MultiLease lease = lock.tryAcquire().orElseThrow()) {
            assertThat(lease.leases()).extracting(Lease::name).isEqualTo(lock.names());
        }
    }

    @Test
    void acquire_allFree_holdsEveryOneWithItsOwnToken() {
        String a = name("a");
        String b = name("b");
        long before = tokenOf(a);
        try (MultiLease lease = client().allOf(b, a).acquire()) {
            assertHeld(a);
            assertHeld(b);
            assertThat(lease.isValid()).isTrue();
            lease.ensureValid();
            assertThat(lease.remaining()).isPositive();
            assertThat(lease.token(a)).isGreaterThan(before);
            assertThat(lease.leases())
                    .allSatisfy(each -> assertThat(lease.token(each.name())).isEqualTo(each.token()));
            assertThatThrownBy(() -> lease.token(a + b)).isInstanceOf(IllegalArgumentException.class);
        }
        assertFree(a);
        assertFree(b);
    }

    private long tokenOf(String name) {
        try (Lease lease = stranger().lock(name).acquire()) {
            return lease.token();
        }
    }

    @Test
    void acquire_everyStyle_takesAndGivesBack() throws InterruptedException {
        String a = name("a");
        String b = name("b");
        MultiLock lock = client().allOf(List.of(a, b));
        lock.acquire().close();
        lock.acquireInterruptibly().close();
        lock.tryAcquire().orElseThrow().close();
        lock.tryAcquire(patience()).orElseThrow().close();
        lock.acquireAsync().join().close();
        lock.tryAcquireAsync(patience()).join().orElseThrow().close();
        lock.lock();
        lock.unlock();
        lock.lockInterruptibly();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        assertFree(a);
        assertFree(b);
    }

    @Test
    void close_always_isFinalAndMayBeRepeated() {
        String a = name("a");
        MultiLease lease = client().allOf(a, name("b")).acquire();
        lease.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(IllegalStateException.class);
        try (Lease next = client().lock(a).acquire()) {
            lease.close();
            assertThat(next.isValid()).isTrue();
            assertHeld(a);
        }
    }

    @Test
    void tryAcquire_oneIsBusy_leavesTheOthersFree() throws InterruptedException {
        String a = name("a");
        String b = name("b");
        String c = name("c");
        LockClient client = client();
        for (String busy : List.of(a, b, c)) {
            try (Lease held = client().lock(busy).acquire()) {
                MultiLock lock = client.allOf(a, b, c);
                assertThat(lock.tryAcquire()).isEmpty();
                assertOthersFree(busy, a, b, c);
                assertThat(lock.tryAcquire(millis(50))).isEmpty();
                assertOthersFree(busy, a, b, c);
                assertThat(lock.tryAcquireAsync(millis(50)).join()).isEmpty();
                assertOthersFree(busy, a, b, c);
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.tryLock(millis(50).toMillis(), TimeUnit.MILLISECONDS))
                        .isFalse();
                assertOthersFree(busy, a, b, c);
                assertThat(held.isValid()).isTrue();
            }
            awaitWaiting(LockKind.LOCK, busy, 0);
        }
    }

    /** Given back before the caller knows, so one try must do. */
    private void assertOthersFree(String busy, String... names) {
        for (String name : names) {
            if (!name.equals(busy)) {
                assertThat(stranger().lock(name).tryAcquire().map(MultiLockContract::closed))
                        .as("%s while %s is busy", name, busy)
                        .isPresent();
            }
        }
    }

    private static long closed(Lease lease) {
        lease.close();
        return lease.token();
    }

    @Test
    void acquire_oneIsBusy_waitsForIt() {
        String a = name("a");
        String b = name("b");
        Lease held = client().lock(b).acquire();
        LockClient client = client();
        Crew.Hand<Boolean> waiter = crew().ask("waiter", () -> {
            try (MultiLease lease = client.allOf(a, b).acquire()) {
                return lease.isValid() && lease.token(b) > held.token();
            }
        });
        awaitContended(client, b, 1);
        assertThat(waiter.isDone()).isFalse();

        held.close();

        assertThat(waiter.result()).isTrue();
        assertFree(a);
        assertFree(b);
    }

    @Test
    void acquire_oppositeOrders_doNotDeadlock() {
        String a = name("a");
        String b = name("b");
        String c = name("c");
        Section section = new Section(1);
        List<LockClient> clients = List.of(client(), client());
        List<List<String>> orders = List.of(List.of(a, b, c), List.of(c, b, a), List.of(b, c, a), List.of(b, a));
        for (int i = 0; i < 4; i++) {
            MultiLock lock = clients.get(i % 2).allOf(orders.get(i));
            crew().run("order " + i, () -> {
                for (int round = 0; round < 25; round++) {
                    try (MultiLease lease = lock.acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        section.pass();
                    }
                }
            });
        }
        crew().finish();
        assertThat(section.passes()).isEqualTo(100);
        section.verify();
    }

    @Test
    void lock_again_reenters() {
        String a = name("a");
        String b = name("b");
        LockClient client = client();
        MultiLock lock = client.allOf(a, b);
        lock.lock();
        lock.lock();
        assertThat(client.allOf(b, a).tryLock())
                .as("re-entry through another object")
                .isTrue();
        lock.unlock();
        lock.unlock();
        assertHeld(a);
        assertHeld(b);
        lock.unlock();
        assertFree(a);
        assertFree(b);
    }

    @Test
    void unlock_threadWithoutHold_isRefused() {
        MultiLock lock = client().allOf(name("a"), name("b"));
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void unlock_threadHoldsOnlyOne_isRefusedAndReleasesNothing() {
        String a = name("a");
        String b = name("b");
        LockClient client = client();
        for (String held : List.of(a, b)) {
            client.lock(held).lock();

            assertThatThrownBy(() -> client.allOf(a, b).unlock()).isInstanceOf(IllegalMonitorStateException.class);

            assertThat(client.lock(held).isHeldByCurrentThread()).isTrue();
            assertHeld(held);
            client.lock(held).unlock();
        }
    }

    @Test
    void lock_oneIsBrokenWhileAnotherIsWaitedFor_startsOver() {
        String a = name("a");
        String b = name("b");
        LockClient client = client();
        Lease held = client().lock(b).acquire();
        MultiLock lock = client.allOf(List.of(a, b), lease(700));
        Crew.Hand<Boolean> waiter = crew().ask("waiter", () -> {
            lock.lock();
            boolean both =
                    client.lock(a).isHeldByCurrentThread() && client.lock(b).isHeldByCurrentThread();
            lock.unlock();
            return both;
        });
        awaitContended(client, b, 1);
        observer().breakAll(new Resource(LockKind.LOCK, a, 1));
        Lease other = client().lock(a).acquire();
        events(client).await(LockEvent.Lost.class, a, 1);

        held.close();

        awaitContended(client, a, 1);
        assertThat(waiter.isDone()).as("has both while another client has one").isFalse();
        assertThat(other.isValid()).isTrue();
        other.close();
        assertThat(waiter.result()).isTrue();
        assertFree(a);
        assertFree(b);
    }

    @Test
    void lease_oneIsBroken_isLostAsAWhole() {
        String a = name("a");
        String b = name("b");
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        try (MultiLease lease = client().allOf(List.of(a, b), lease(3_000)).acquire()) {
            lease.onLost(told::add);
            observer().breakAll(new Resource(LockKind.LOCK, b, 1));

            soon("the loss").until(() -> !told.isEmpty());

            assertThat(told).containsExactly(LostReason.FORGOTTEN);
            assertThat(lease.isValid()).isFalse();
            assertThat(lease.remaining()).isZero();
            assertThatThrownBy(lease::ensureValid)
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.lockName()).isEqualTo(b));
        }
        assertFree(a);
        assertFree(b);
    }
}
