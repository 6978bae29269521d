package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hold that several leases share: what becomes of each when the hold, or one of them, ends. */
@Timeout(60)
class SharedEndTest extends EngineFixture {
    private final List<String> told = new ArrayList<>();

    private DistributedLock reader() {
        return reader(LockOptions.defaults());
    }

    private DistributedLock reader(LockOptions options) {
        return engine.readWriteLock("rw", options).readLock();
    }

    private Lease listening(Lease lease) {
        lease.onLost(why -> told.add(lease.token() + " lost " + why));
        lease.onAtRisk(() -> told.add(lease.token() + " at risk"));
        return lease;
    }

    private Lease read() {
        return listening(reader().acquire());
    }

    private Lease read(LockOptions options) {
        return listening(reader(options).acquire());
    }

    // ---- all together

    @Test
    void forgottenByTheStore_eachIsToldOnce() {
        read();
        read();
        read();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));
        storeMayKeepClaims();

        runtime.advance(seconds(30));

        assertThat(told).containsExactlyInAnyOrder("1 lost FORGOTTEN", "2 lost FORGOTTEN", "3 lost FORGOTTEN");
        assertThat(events(LockEvent.Lost.class)).hasSize(3);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void revoked_eachIsToldOnceAndNobodyJoins() {
        Lease one = read();
        Lease two = read();
        backend.renewals(renewals -> List.of(new RenewResult.Gone()));
        storeMayKeepClaims();

        backend.listener().revoked(backend.claim(0).id());
        runtime.run();
        Lease three = reader().acquire();

        assertThat(told).containsExactlyInAnyOrder("1 lost FORGOTTEN", "2 lost FORGOTTEN");
        assertThat(one.isValid() || two.isValid()).isFalse();
        assertThat(three.isValid()).isTrue();
        assertThat(backend.attempts()).hasSize(2);
    }

    @Test
    void deadline_storeDoesNotAnswer_eachIsAtRiskOnceAndLostOnce() {
        read();
        read();
        backend.renewals(ScriptedBackend.down());
        storeMayKeepClaims();

        runtime.advance(seconds(60));

        assertThat(told)
                .containsExactlyInAnyOrder(
                        "1 at risk", "2 at risk", "1 lost STORE_UNREACHABLE", "2 lost STORE_UNREACHABLE");
        assertThat(events(LockEvent.AtRisk.class)).hasSize(2);
    }

    /** The renewal that fails and the one who joins: either it is told, or it does not join. */
    @Test
    void acquire_whileARenewalFails_toldOrAsksTheStore() {
        read();
        CompletableFuture<Lease> joins = new CompletableFuture<>();
        backend.nextRenewal(renewals -> {
            joins.complete(read());
            throw new IllegalStateException("no answer");
        });
        runtime.advance(millis(1));
        backend.listener().missed();
        LockOptions longer = LockOptions.defaults().fixedLease(seconds(60));

        Lease own = reader(longer).acquire(); // its confirmation is the renewal that fails

        assertThat(lease(joins).id()).isEqualTo(backend.claim(0).id().toString());
        runtime.run();
        assertThat(told).containsExactlyInAnyOrder("1 at risk", "2 at risk");
        assertThat(own.id()).isNotEqualTo(lease(joins).id());
        runtime.advance(seconds(3));
    }

    @Test
    void isValid_oneAsksAfterTheDeadline_allAreTold() {
        Lease one = read();
        read();
        runtime.renewals().stop();
        runtime.jump(seconds(30));
        storeMayKeepClaims();

        assertThat(one.isValid()).isFalse();
        runtime.run();

        assertThat(told).containsExactlyInAnyOrder("1 lost EXPIRED", "2 lost EXPIRED");
    }

    @Test
    void close_client_allAreGivenBackAndTheStoreHearsOnce() {
        Lease one = read();
        Lease two = read();

        engine.close();

        assertThat(one.isValid() || two.isValid()).isFalse();
        assertThat(events(LockEvent.Released.class)).hasSize(2);
        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(told).isEmpty();
    }

    // ---- one alone

    @Test
    void fixedLease_endsAlone() {
        Lease fixed = read(LockOptions.defaults().fixedLease(seconds(30)));
        Lease renewed = read();

        runtime.advance(seconds(120));

        assertThat(told).containsExactly("1 lost EXPIRED");
        assertThat(fixed.isValid()).isFalse();
        assertThat(renewed.isValid()).isTrue();
        assertThat(backend.releases()).isEmpty();
    }

    @Test
    void maxHold_endsAlone() {
        read(LockOptions.defaults().maxHold(seconds(5)));
        Lease other = read();

        runtime.advance(seconds(6));

        assertThat(told).containsExactly("1 lost MAX_HOLD");
        assertThat(other.isValid()).isTrue();
        other.close();
        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void maxHold_aQuestionFindsIt_endsAlone() {
        Lease one = read(LockOptions.defaults().maxHold(millis(100)));
        Lease other = read();
        runtime.jump(millis(100));

        assertThat(one.isValid()).isFalse();
        runtime.run();

        assertThat(told).containsExactly("1 lost MAX_HOLD");
        assertThat(other.isValid()).isTrue();
    }

    @Test
    void maxHold_aQuestionAndTheTimerFindIt_toldOnce() {
        Lease one = read(LockOptions.defaults().maxHold(millis(100)));
        Lease other = read();
        runtime.callbacks().stop();
        runtime.jump(millis(100));
        assertThat(one.isValid()).isFalse();
        runtime.advance(millis(1));

        runtime.callbacks().go();

        assertThat(told).containsExactly("1 lost MAX_HOLD");
        assertThat(events(LockEvent.Lost.class)).hasSize(1);
        assertThat(other.isValid()).isTrue();
    }

    @Test
    void maxHold_theLast_theHoldGoesBack() {
        read(LockOptions.defaults().maxHold(seconds(5)));
        Lease other = read();
        other.close();

        runtime.advance(seconds(6));

        assertThat(told).containsExactly("1 lost MAX_HOLD");
        assertThat(backend.releases()).hasSize(1);
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void acquire_whileTheLastEnds_asksTheStore() {
        InlineRuntime inline = new InlineRuntime();
        EngineParts parts = new EngineParts("other", new GrantingBackend(), inline);
        LocalLock local = new LocalLock(parts.gates, new Resource(LockKind.READ_WRITE, "rw", 4));
        DistributedLock reader = new EngineReadWriteLock(parts.acquisitions, local, LockOptions.defaults()).readLock();
        Lease last = reader.acquire();

        parts.watched.forEach(grant -> grant.owner().ended(grant, grant.leases()[0]));

        assertThat(reader.acquire().id()).isNotEqualTo(last.id());
    }

    @Test
    void renewal_oneWantsIt_goesOnForTheLongest() {
        Lease longer = read(LockOptions.defaults().lease(seconds(40)));
        read(LockOptions.defaults().lease(seconds(20)));
        Lease fixed = read(LockOptions.defaults().fixedLease(seconds(60)));

        runtime.advance(seconds(21));
        assertThat(backend.renewals().get(1).renewals().get(0).lease()).isEqualTo(seconds(40));
        longer.close();
        runtime.advance(seconds(30));

        assertThat(backend.renewals()
                        .get(backend.renewals().size() - 1)
                        .renewals()
                        .get(0)
                        .lease())
                .isEqualTo(seconds(20));
        assertThat(fixed.isValid()).isTrue();
    }

    @Test
    void renewal_nobodyWantsItAnyMore_ends() {
        read(LockOptions.defaults().fixedLease(seconds(30)));
        Lease renewed = read();
        runtime.advance(millis(1));
        renewed.close();

        runtime.advance(seconds(60));

        assertThat(backend.renewals()).isEmpty();
        assertThat(told).containsExactly("1 lost EXPIRED");
        storeMayKeepClaims();
    }

    @Test
    void ownerDies_othersAreRenewed_lostAtTheDeadlineThatWas() throws Exception {
        Actor<Lease> owner = Actor.does("owner", () -> {
            reader().lock();
            return listening(reader().lease());
        });
        owner.result();
        owner.awaitDeath();
        Lease other = read();

        runtime.advance(USABLE.minusNanos(1));
        assertThat(told).isEmpty();
        runtime.advance(seconds(1));

        assertThat(told).containsExactly("1 lost " + LostReason.OWNER_DIED);
        assertThat(other.isValid()).isTrue();
    }

    @Test
    void extend_one_doesNotShortenTheOthers() {
        Lease one = read(LockOptions.defaults().fixedLease(seconds(30)));
        Lease two = read();

        one.extend(seconds(60));

        assertThat(one.remaining()).isEqualTo(usable(seconds(60)));
        assertThat(two.remaining()).isEqualTo(usable(seconds(60)));
        two.extend(seconds(10));
        assertThat(one.remaining()).isEqualTo(usable(seconds(60)));
    }

    // ---- closed for a time

    @Test
    void closeAfter_othersGoOn_keptUntilBothAreOver() {
        Lease one = read();
        Lease two = read();

        one.closeAfter(seconds(20));
        Lease three = reader().acquire();
        assertThat(two.isValid()).isTrue();
        assertThat(three.id()).as("nobody joins what is to be kept").isNotEqualTo(two.id());
        runtime.advance(seconds(5));
        two.close();
        runtime.advance(seconds(14));
        assertThat(backend.releasesOf(backend.claim(0))).isZero();
        runtime.advance(seconds(2));

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    @Test
    void closeAfter_twoForDifferentTimes_keptForTheLonger() {
        Lease one = read();
        Lease two = read();

        one.closeAfter(seconds(25));
        two.closeAfter(seconds(5));
        runtime.advance(seconds(24));
        assertThat(backend.releases()).isEmpty();
        runtime.advance(seconds(2));

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
        assertThat(engine.leftovers()).isZero();
    }

    @Test
    void closeAfter_theOtherIsLost_keptAllTheSame() {
        Lease one = read();
        read(LockOptions.defaults().maxHold(seconds(2)));

        one.closeAfter(seconds(20));
        runtime.advance(seconds(19));
        assertThat(told).containsExactly("2 lost MAX_HOLD");
        assertThat(backend.releases()).isEmpty();
        runtime.advance(seconds(2));

        assertThat(backend.releasesOf(backend.claim(0))).isOne();
    }

    // ---- and those who wait

    /** One try of a writer has all of it, though a writer waits; a reader overtakes that one, and is lost. */
    @Test
    void lost_whatOvertookTheFirst_theFirstAsksAgain() {
        DistributedLock writer = engine.readWriteLock("rw").writeLock();
        backend.attempts(ScriptedBackend.queued(1, seconds(10)));
        CompletableFuture<Lease> first = waiting(writer);
        backend.nextAttempt(this::grant);
        Lease all = writer.tryAcquire().orElseThrow();
        runtime.worker().stop();
        all.close(); // the first is called
        read(LockOptions.defaults().maxHold(seconds(5)));
        runtime.worker().go();
        assertThat(first).isNotDone();
        backend.attempts(this::grant);

        runtime.advance(seconds(6));

        assertThat(told).containsExactly("2 lost MAX_HOLD");
        assertThat(lease(first).isValid()).isTrue();
    }

    @Test
    void extend_endsAloneMeanwhile_throws() {
        Lease one = read(LockOptions.defaults().fixedLease(seconds(1)));
        Lease two = read();
        backend.nextRenewal(renewals -> {
            runtime.jump(seconds(1));
            assertThat(one.isValid()).isFalse();
            return ScriptedBackend.renewAll(renewals);
        });

        assertThatThrownBy(() -> one.extend(seconds(60))).isInstanceOf(LockLostException.class);

        assertThat(one.isValid()).isFalse();
        assertThat(two.isValid()).isTrue();
        runtime.run();
        assertThat(told).containsExactly("1 lost EXPIRED");
    }
}
