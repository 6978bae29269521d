package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import io.holdfast.testing.ManualRuntime;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * A client whose clocks the test turns, on a store whose clock runs: deadlines, renewals and a machine that sleeps.
 * Takes no time, and long leases keep the store out of it.
 *
 * @since 0.1
 */
public abstract class ClockContract extends Contract {
    private final ManualRuntime runtime = new ManualRuntime();

    /** For subclasses. */
    protected ClockContract() {}

    private Duration lease() {
        return defaults().lease();
    }

    private Lease fixed(String name) {
        return client(runtime, defaults().fixedLease(lease())).lock(name).acquire();
    }

    private Lease renewed(String name) {
        return client(runtime, defaults()).lock(name).acquire();
    }

    @Test
    void fixedLease_deadline_isBeforeTheEndInTheStore() {
        Lease lease = fixed(name("margin"));
        Duration usable = lease.remaining();
        assertThat(usable).isPositive().isLessThan(lease());

        runtime.advance(usable.minusNanos(1));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        runtime.advance(Duration.ofNanos(1));

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void isValid_deadlinePassedAndNoThreadRanSince_isFalse() {
        Lease lease = renewed(name("paused"));
        runtime.clocks().advance(lease());
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED));
    }

    @Test
    void isValid_machineSlept_isFalse() {
        Lease lease = renewed(name("slept"));
        runtime.clocks().advanceWall(lease());
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void isValid_wallClockSetBack_endsByTheOtherClock() {
        Lease lease = renewed(name("set back"));
        runtime.clocks().advanceWall(Duration.ofHours(-1));
        assertThat(lease.isValid()).isTrue();
        runtime.clocks().advanceMonotonic(lease());
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void lost_machineSlept_isFinalAndToldOnce() {
        String name = name("slept");
        LockClient client = client(runtime, defaults());
        Lease lease = client.lock(name).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);
        runtime.clocks().advanceWall(lease().plusSeconds(1));

        runtime.advance(lease().multipliedBy(2));
        runtime.clocks().advanceWall(lease().multipliedBy(-4));
        runtime.advance(lease());

        assertThat(lease.isValid()).isFalse();
        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(events(client).all(LockEvent.Lost.class, name)).hasSize(1);
    }

    @Test
    void renewal_manyLeaseLengths_isNeverLate() {
        String name = name("kept");
        LockClient client = client(runtime, defaults());
        Lease lease = client.lock(name).acquire();
        for (int step = 0; step < 100; step++) {
            runtime.advance(lease().dividedBy(10));
            assertThat(lease.remaining()).isGreaterThan(lease().dividedBy(2));
        }
        assertThat(events(client).all(LockEvent.Renewed.class, name)).hasSizeBetween(20, 60);
        lease.close();
        runtime.advance(lease());
        assertThat(events(client).all(LockEvent.Renewed.class, name)).hasSizeBetween(20, 60);
        assertFree(name);
    }

    @Test
    void maxHold_passed_isLostThen() {
        String name = name("hangs");
        Duration maxHold = lease().multipliedBy(3);
        LockClient client = client(runtime, defaults().maxHold(maxHold));
        Lease lease = client.lock(name).acquire();
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        lease.onLost(told::add);

        runtime.advance(maxHold.minus(lease().dividedBy(10)));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(lease().dividedBy(10));
        runtime.advance(lease().dividedBy(5));

        assertThat(lease.isValid()).isFalse();
        assertThat(told).containsExactly(LostReason.MAX_HOLD);
        assertFree(name);
    }

    @Test
    void acquireAsync_drivenByHand_completes() {
        String name = name("async");
        LockClient client = client(runtime, defaults());
        CompletableFuture<Lease> lease = client.lock(name).acquireAsync();
        assertThat(lease).isNotDone();
        runtime.runReady();
        assertThat(lease).isDone();
        assertHeld(name);
        lease.join().close();
        runtime.runReady();
        assertFree(name);
    }
}
