package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A runtime that throws, and clocks that step while the timer is busy: the timer goes on. */
class WatchdogTroubleTest extends EngineFixture {

    private Lease fixed(String name, Duration time) {
        return engine.lock(name, LockOptions.defaults().fixedLease(time)).acquire();
    }

    // ---- no threads

    @Test
    void fire_callbacksThrow_timerGoesOn() {
        Lease first = fixed("a", seconds(1));
        Lease second = fixed("b", seconds(5));
        storeMayKeepClaims();
        runtime.callbacks().outOfThreads(true);
        runtime.advance(seconds(2));
        runtime.callbacks().outOfThreads(false);
        assertThat(first.isValid()).isFalse();

        runtime.advance(seconds(3));

        assertThat(second.isValid()).isFalse();
        assertThat(events(LockEvent.Lost.class))
                .contains(LockEvent.Lost.of(LockKind.LOCK, "b", second.token(), LostReason.EXPIRED));
    }

    /** Nothing is left to renew but the one hold: nobody but the timer itself could arm the timer again. */
    @Test
    void fire_callbacksThrowForOne_otherIsRenewedAllTheSame() {
        fixed("b", seconds(1));
        Lease other = lock().acquire();
        storeMayKeepClaims();
        runtime.callbacks().outOfThreads(true);

        runtime.advance(seconds(60));

        assertThat(other.isValid()).isTrue();
    }

    @Test
    void fire_renewalsThrow_atRiskAndTriedAgain() {
        Lease lease = lock().acquire();
        runtime.renewals().outOfThreads(true);
        runtime.advance(USABLE.dividedBy(3));
        assertThat(events(LockEvent.AtRisk.class)).hasSize(1);
        assertThat(events(LockEvent.AtRisk.class).get(0).cause()).hasMessageContaining("no thread");

        runtime.renewals().outOfThreads(false);
        runtime.advance(seconds(60));

        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).isNotEmpty();
    }

    @Test
    void watch_timerThrowsOnce_nextHoldArmsIt() {
        runtime.timerOutOfThreads(true);
        assertThatThrownBy(() -> lock().acquire()).isInstanceOf(OutOfMemoryError.class);
        runtime.timerOutOfThreads(false);
        storeMayKeepClaims();

        Lease lease = engine.lock("b").acquire();
        runtime.advance(seconds(60));

        assertThat(lease.isValid()).isTrue();
    }

    // ---- clocks

    /**
     * While a short lease is renewed all the time the timer always has something to do. It looks at the clocks all the
     * same.
     */
    @Test
    void fire_machineSleptWhileShortLeasesAreInUse_lossIsToldWithinASecond() {
        storeMayKeepClaims();
        engine.lock("brief", LockOptions.defaults().lease(millis(300))).acquire();
        Lease slept = lock().acquire();
        CompletableFuture<LostReason> told = slept.lost().toCompletableFuture();
        runtime.advance(seconds(2));

        runtime.stepWall(USABLE);
        for (int i = 0; i < 10; i++) {
            Lease brief = engine.lock("brief-" + i, LockOptions.defaults().lease(millis(300)))
                    .acquire();
            runtime.advance(millis(100));
            brief.close();
        }

        assertThat(told).isCompletedWithValue(LostReason.EXPIRED);
    }

    /**
     * Steps that are too small to matter, each between two firings of a busy timer, add up: 9 in 100 ms end 30 s after
     * less than 28.
     */
    @Test
    void fire_wallClockRunsAwayInSmallSteps_lossIsToldWithinASecond() {
        storeMayKeepClaims();
        engine.lock("brief", LockOptions.defaults().lease(millis(300))).acquire();
        CompletableFuture<LostReason> told = fixed("a", seconds(30)).lost().toCompletableFuture();

        for (int i = 0; i < 284; i++) {
            runtime.stepWall(millis(9));
            runtime.advance(millis(100));
        }

        assertThat(told).isCompletedWithValue(LostReason.EXPIRED);
    }
}
