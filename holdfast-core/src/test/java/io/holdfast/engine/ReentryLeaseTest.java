package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A re-entry gets at least what it asks for, in each of the four ways to lock, and never makes the hold shorter. */
class ReentryLeaseTest extends EngineFixture {

    enum Way {
        LOCK {
            @Override
            boolean take(DistributedLock lock) {
                lock.lock();
                return true;
            }
        },
        INTERRUPTIBLY {
            @Override
            boolean take(DistributedLock lock) throws InterruptedException {
                lock.lockInterruptibly();
                return true;
            }
        },
        TRY {
            @Override
            boolean take(DistributedLock lock) {
                return lock.tryLock();
            }
        },
        TRY_FOR_A_TIME {
            @Override
            boolean take(DistributedLock lock) throws InterruptedException {
                return lock.tryLock(1, TimeUnit.SECONDS);
            }
        };

        abstract boolean take(DistributedLock lock) throws InterruptedException;
    }

    private DistributedLock fixed(long seconds) {
        return engine.lock("a", LockOptions.defaults().fixedLease(seconds(seconds)));
    }

    private DistributedLock renewed(long seconds) {
        return engine.lock("a", LockOptions.defaults().lease(seconds(seconds)));
    }

    private Duration remaining() {
        return lock().lease().remaining();
    }

    @BeforeEach
    void lostClaimsRunOutByThemselves() {
        storeMayKeepClaims();
    }

    @ParameterizedTest
    @EnumSource
    void fixedInFixed_littleLeft_lastsAsLongAsAsked(Way way) throws InterruptedException {
        fixed(20).lock();
        runtime.advance(seconds(15));

        assertThat(way.take(fixed(20))).isTrue();

        assertThat(remaining()).isEqualTo(usable(seconds(20)));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(seconds(20));
        assertThat(lock().isHeldByCurrentThread()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void fixedInFixed_enoughLeft_asksNothing(Way way) throws InterruptedException {
        fixed(20).lock();
        runtime.advance(seconds(1));

        assertThat(way.take(fixed(20))).isTrue();
        assertThat(way.take(fixed(10))).isTrue();

        assertThat(remaining()).isEqualTo(usable(seconds(20)).minusSeconds(1));
        assertThat(backend.renewals()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void renewedInFixed_isRenewedFromThenOn(Way way) throws InterruptedException {
        fixed(20).lock();
        runtime.advance(seconds(15));

        assertThat(way.take(renewed(30))).isTrue();

        assertThat(remaining()).isEqualTo(USABLE);
        runtime.advance(seconds(300));
        assertThat(lock().holdCount()).isEqualTo(2);
        lock().unlock();
        runtime.advance(seconds(300));
        assertThat(lock().isHeldByCurrentThread()).as("until the last unlock").isTrue();
        lock().unlock();
    }

    /** What was long stays long, and is renewed when it nears its end. */
    @ParameterizedTest
    @EnumSource
    void renewedInLongerFixed_neverShorter(Way way) throws InterruptedException {
        fixed(600).lock();

        assertThat(way.take(renewed(30))).isTrue();

        assertThat(remaining()).isEqualTo(usable(seconds(600)));
        runtime.advance(seconds(1_000));
        assertThat(lock().holdCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void fixedInRenewed_staysRenewed(Way way) throws InterruptedException {
        renewed(30).lock();

        assertThat(way.take(fixed(5))).isTrue();
        assertThat(backend.renewals()).isEmpty();
        assertThat(way.take(fixed(60))).isTrue();

        assertThat(remaining()).isEqualTo(usable(seconds(60)));
        runtime.advance(seconds(300));
        assertThat(lock().holdCount()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void renewedInRenewed_longerLeaseCounts(Way way) throws InterruptedException {
        renewed(30).lock();
        runtime.advance(seconds(5));

        assertThat(way.take(renewed(10))).isTrue();
        assertThat(way.take(renewed(30))).isTrue();
        assertThat(backend.renewals()).isEmpty();
        assertThat(way.take(renewed(60))).isTrue();

        assertThat(remaining()).isEqualTo(usable(seconds(60)));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(seconds(25));
        assertThat(backend.renewals().get(1).renewals().get(0).lease()).isEqualTo(seconds(60));
    }

    @ParameterizedTest
    @EnumSource
    void anyInMaxHold_endsWithTheMaximumOfTheFirst(Way way) throws InterruptedException {
        engine.lock("a", LockOptions.defaults().fixedLease(seconds(20)).maxHold(seconds(100)))
                .lock();

        assertThat(way.take(renewed(30))).isTrue();
        runtime.advance(seconds(99));
        assertThat(lock().holdCount()).isEqualTo(2);
        runtime.advance(seconds(1));

        assertThat(lock().holdCount()).isZero();
        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::reason)
                .containsExactly(LostReason.MAX_HOLD);
    }

    @ParameterizedTest
    @EnumSource
    void renewedInFixed_storeDown_throwsAndChangesNothing(Way way) {
        fixed(20).lock();
        backend.nextRenewal(ScriptedBackend.down());

        assertThatThrownBy(() -> way.take(renewed(30))).isInstanceOf(LockStoreException.class);

        assertThat(lock().holdCount()).isOne();
        runtime.advance(seconds(20));
        assertThat(lock().isHeldByCurrentThread()).isFalse();
        assertThat(List.copyOf(events(LockEvent.Lost.class))).hasSize(1);
    }
}
