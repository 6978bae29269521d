package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.UnfitClaimException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers of one client: who joins what it holds, and who asks the store. */
@Timeout(60)
class ReadSharingTest extends EngineFixture {
    private DistributedLock reader() {
        return engine.readWriteLock("rw").readLock();
    }

    private DistributedLock reader(LockOptions options) {
        return engine.readWriteLock("rw", options).readLock();
    }

    private void close(Lease lease) {
        lease.close();
        runtime.run();
    }

    // ---- one claim for readers

    @Test
    void acquire_severalRead_oneClaimWithATokenForEach() {
        Lease one = reader().acquire();
        Lease two = reader().acquire();
        Lease three = reader().tryAcquire().orElseThrow();

        assertThat(backend.calls()).hasSize(1);
        assertThat(backend.claim(0).weight()).isOne();
        assertThat(List.of(one.token(), two.token(), three.token())).containsExactly(1L, 2L, 3L);
        assertThat(one.isValid() && two.isValid() && three.isValid()).isTrue();
    }

    @Test
    void close_notTheLast_theOthersGoOn() {
        Lease one = reader().acquire();
        Lease two = reader().acquire();

        close(one);

        assertThat(one.isValid()).isFalse();
        assertThat(two.isValid()).isTrue();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void close_theLast_givenBackAtOnce() {
        Lease one = reader().acquire();
        Lease two = reader().acquire();

        two.close();
        one.close();

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquire_fifo_everybodyAsksTheStore() {
        reader(FIFO).acquire();
        reader(FIFO).acquire();

        assertThat(backend.attempts()).hasSize(2).allMatch(call -> call.claim().tokens() == 1);
    }

    // ---- what nobody joins

    @Test
    void acquire_holdIsYoungEnough_joins() {
        reader().acquire();
        runtime.advance(millis(50).minusNanos(1));

        reader().acquire();

        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void acquire_holdIsTooOld_asksTheStore() {
        Lease old = reader().acquire();
        runtime.advance(millis(50));

        Lease young = reader().acquire();
        reader().acquire();

        assertThat(backend.attempts()).as("the third joins the second").hasSize(2);
        close(old);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(young.isValid()).isTrue();
    }

    @Test
    void acquire_renewalFailed_asksTheStore() {
        reader(LockOptions.defaults().lease(millis(120))).acquire();
        backend.renewals(ScriptedBackend.down());
        runtime.advance(millis(45));

        reader().acquire();

        assertThat(backend.renewals()).isNotEmpty();
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void acquire_tooLittleIsLeft_asksTheStore() {
        reader(LockOptions.defaults().fixedLease(millis(100))).acquire();
        runtime.advance(millis(49));

        reader(LockOptions.defaults().lease(millis(100))).acquire();
        runtime.advance(millis(10));
        reader(LockOptions.defaults().lease(millis(100))).acquire();

        assertThat(backend.attempts()).hasSize(2);
        storeMayKeepClaims();
    }

    @Test
    void acquire_noTokenIsLeft_asksTheStore() {
        for (int i = 0; i < Cohort.USUAL; i++) {
            reader().acquire();
        }
        assertThat(backend.attempts()).hasSize(1);

        reader().acquire();

        assertThat(backend.attempts()).hasSize(2);
    }

    // ---- longer leases

    @Test
    void acquire_longerFixedLease_confirmedFirst() {
        reader().acquire();
        LockOptions longer = LockOptions.defaults().fixedLease(seconds(60));

        Lease second = reader(longer).acquire();
        Lease third = reader(longer).tryAcquire().orElseThrow();

        assertThat(backend.attempts()).hasSize(1);
        assertThat(backend.renewals()).as("the third finds it long enough").hasSize(1);
        assertThat(second.remaining()).isEqualTo(usable(seconds(60)));
        assertThat(third.isValid()).isTrue();
    }

    @Test
    void acquire_longerLeaseCannotBeConfirmed_asksTheStore() {
        reader().acquire();
        backend.renewals(ScriptedBackend.down());

        Lease second = reader(LockOptions.defaults().fixedLease(seconds(60))).acquire();

        assertThat(backend.attempts()).hasSize(2);
        assertThat(second.remaining()).isEqualTo(usable(seconds(60)));
        runtime.advance(seconds(3));
    }

    @Test
    void acquire_storeGivesLessThanAsked_takesWhatThereIs() {
        reader().acquire();
        backend.renewals(renewals -> List.of(new RenewResult.Renewed(seconds(31))));

        Lease second = reader(LockOptions.defaults().fixedLease(seconds(60))).acquire();

        assertThat(second.remaining()).isEqualTo(usable(seconds(31)));
        assertThat(backend.renewals()).hasSize(1);
        assertThat(backend.attempts()).hasSize(1);
    }

    @Test
    void acquire_longerThanTheStoreEverGives_failsAlone() {
        Lease first = reader().acquire();
        backend.renewals(renewals -> List.of(
                new RenewResult.Failed(new UnfitClaimException(backend.claim(0).resource(), "too long"))));

        DistributedLock tooLong = reader(LockOptions.defaults().fixedLease(seconds(60)));

        assertThatThrownBy(tooLong::acquire).isInstanceOf(UnfitClaimException.class);
        assertThat(reader().acquire().id()).as("nothing happened to it").isEqualTo(first.id());
        assertThat(events(LockEvent.AtRisk.class)).isEmpty();
    }
}
