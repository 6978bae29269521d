package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.DurationText;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Times that make no sense are refused, and acquire nothing.
 *
 * @since 0.1
 */
public abstract class ArgumentContract extends Contract {
    /** Longer than a clock can count in nanoseconds. */
    private static final Duration OVERFLOWING = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Duration NEGATIVE = Duration.ofNanos(-1);

    /** For subclasses. */
    protected ArgumentContract() {}

    @Test
    void wait_negativeOrOverflowing_isRefused() {
        LockClient client = client();
        String name = name("waits");
        DistributedLock lock = client.lock(name);
        for (Duration wait : List.of(NEGATIVE, OVERFLOWING)) {
            Map<String, ThrowingCallable> calls = Map.of(
                    "tryAcquire", () -> lock.tryAcquire(wait),
                    "tryAcquireAsync", () -> lock.tryAcquireAsync(wait),
                    "tryLock", () -> lock.tryLock(wait, Duration.ofSeconds(10)),
                    "read", () -> client.readWriteLock(name).readLock().tryAcquire(wait),
                    "semaphore", () -> client.semaphore(name, 2).tryAcquire(wait),
                    "permits", () -> client.semaphore(name, 2).taking(2).tryAcquireAsync(wait),
                    "multi", () -> client.allOf(name).tryAcquire(wait),
                    "latch", () -> client.latch(name, 1).await(wait));
            calls.forEach((what, call) -> assertThatThrownBy(call)
                    .as("%s with a wait of %s", what, wait)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("wait")
                    .hasMessageContaining(DurationText.of(wait)));
        }
        assertFree(name);
    }

    @Test
    void tryLock_unreasonableWait_isTakenAsItIsMeant() throws InterruptedException {
        DistributedLock lock = client().lock(name("long"));
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    void tryLock_leaseOutOfBounds_isRefused() {
        String name = name("leases");
        DistributedLock lock = client().lock(name);
        for (Duration lease : List.of(Duration.ZERO, NEGATIVE, OVERFLOWING, Duration.ofMillis(1))) {
            assertThatThrownBy(() -> lock.tryLock(Duration.ZERO, lease))
                    .as("tryLock with a lease of %s", lease)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(DurationText.of(lease));
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertFree(name);
    }

    @Test
    void extend_leaseOutOfBounds_isRefusedAndTheLeaseIsAsBefore() {
        try (Lease held = client().lock(name("extend")).acquire()) {
            for (Duration lease : List.of(Duration.ZERO, NEGATIVE, OVERFLOWING)) {
                assertThatThrownBy(() -> held.extend(lease))
                        .as("extend by %s", lease)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(DurationText.of(lease));
            }
            assertThat(held.isValid()).isTrue();
        }
    }
}
