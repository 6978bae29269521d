package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Waits that are negative, and what is done after the client was closed. */
class EdgeOfUseTest extends EngineFixture {
    private static final Duration NEGATIVE = millis(-1);

    @Test
    void wait_negative_refusedByName() {
        MultiLock both = engine.allOf("x", "y");
        for (ThrowingCallable each : List.<ThrowingCallable>of(
                () -> lock().tryAcquire(NEGATIVE),
                () -> lock().tryAcquireAsync(NEGATIVE),
                () -> lock().tryLock(NEGATIVE, seconds(1)),
                () -> engine.readWriteLock("a").readLock().tryAcquire(NEGATIVE),
                () -> engine.semaphore("a", 2).tryAcquire(NEGATIVE),
                () -> engine.semaphore("a", 2).taking(2).tryAcquireAsync(NEGATIVE),
                () -> engine.latch("a", 2).await(NEGATIVE),
                () -> both.tryAcquire(NEGATIVE),
                () -> both.tryAcquireAsync(NEGATIVE))) {
            assertThatThrownBy(each)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("wait is -1ms, expected zero (one try) or more");
        }
        assertThat(backend.calls()).isEmpty();
    }

    /** As {@link java.util.concurrent.locks.Lock} has it. */
    @Test
    void tryLock_timeNotPositive_oneTry() throws Exception {
        assertThat(lock().tryLock(-1, TimeUnit.SECONDS)).isTrue();
        lock().unlock();
        assertThat(engine.allOf("x", "y").tryLock(-1, TimeUnit.SECONDS)).isTrue();
    }

    /** Closing gave it back; a thread that goes on as if it held the lock must hear that it does not. */
    @Test
    void unlock_afterTheClientWasClosed_saysSo() {
        DistributedLock lock = lock();
        lock.lock();
        engine.close();

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("lock client client is closed; open a new one");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(backend.releases()).hasSize(1);
    }

    @Test
    void close_leaseAfterTheClientWasClosed_doesNothing() {
        Lease lease = lock().acquire();
        engine.close();

        assertThatCode(lease::close).doesNotThrowAnyException();

        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(IllegalStateException.class);
        assertThat(backend.releases()).hasSize(1);
    }
}
