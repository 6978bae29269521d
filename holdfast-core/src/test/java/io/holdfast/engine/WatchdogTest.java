package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When holds are renewed, and what the answers mean. */
class WatchdogTest extends EngineFixture {
    private static final Duration NANO = Duration.ofNanos(1);

    private Lease lease(String name) {
        return engine.lock(name).acquire();
    }

    // ---- when

    @Test
    void renewal_freshLease_atAThirdOfWhatIsLeft() {
        lock().acquire();

        runtime.advance(USABLE.dividedBy(3).minus(NANO));
        assertThat(backend.renewals()).isEmpty();
        runtime.advance(NANO);

        assertThat(backend.renewals()).hasSize(1);
        assertThat(backend.renewals().get(0).renewals())
                .containsExactly(new Renewal(backend.claim(0), LockOptions.DEFAULT_LEASE));
    }

    @Test
    void renewal_afterARenewal_atAThirdOfWhatIsLeftThen() {
        lock().acquire();
        backend.nextRenewal(renewals -> List.of(new RenewResult.Renewed(seconds(40))));
        runtime.advance(USABLE.dividedBy(3));

        runtime.advance(usable(seconds(40)).dividedBy(3).minus(NANO));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(NANO);
        assertThat(backend.renewals()).hasSize(2);
    }

    @Test
    void renewal_hour_neverLateAndNeverTooOften() {
        Lease lease = lock().acquire();

        for (int i = 0; i < 3_600; i++) {
            runtime.advance(seconds(1));
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining())
                    .isGreaterThan(USABLE.dividedBy(3).multipliedBy(2).minusSeconds(1));
        }

        assertThat(backend.renewals()).hasSizeBetween(359, 365);
        assertThat(events(LockEvent.Renewed.class)).hasSameSizeAs(backend.renewals());
    }

    @Test
    void renewal_succeeds_toldWithTheTimeItHasNow() {
        Lease lease = lock().acquire();

        runtime.advance(USABLE.dividedBy(3));

        assertThat(events(LockEvent.Renewed.class))
                .containsExactly(LockEvent.Renewed.of(LockKind.LOCK, "a", lease.token(), USABLE));
    }

    @Test
    void renewal_storeSaysLessThanItHad_neverShortens() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> List.of(new RenewResult.Renewed(millis(500))));

        runtime.advance(USABLE.dividedBy(3));

        assertThat(backend.renewals()).hasSize(1);
        assertThat(lease.remaining()).isEqualTo(USABLE.minus(USABLE.dividedBy(3)));
        assertThat(lease.isValid()).isTrue();
    }

    // ---- rounds

    @Test
    void renewal_holdsDueSoonAfterEachOther_shareOneRound() {
        for (int i = 0; i < 10; i++) {
            lease("lock-" + i);
            runtime.advance(millis(100));
        }

        runtime.advance(USABLE.dividedBy(3));
        assertThat(backend.renewals()).hasSize(1);
        assertThat(backend.renewals().get(0).renewals()).hasSize(10);

        runtime.advance(USABLE.dividedBy(3));
        assertThat(backend.renewals()).hasSize(2);
        assertThat(backend.renewals().get(1).renewals()).hasSize(10);
    }

    @Test
    void renewal_holdDueMuchLater_notTakenAlong() {
        lease("a");
        lease("b").extend(Duration.ofMinutes(10));
        int extended = backend.renewals().size();

        runtime.advance(USABLE.dividedBy(3));

        assertThat(backend.renewals()).hasSize(extended + 1);
        assertThat(backend.renewals().get(extended).ids())
                .containsExactly(backend.claim(0).id());
    }

    @Test
    void renewal_fixedLeaseInTheSameClient_notTakenAlong() {
        lease("a");
        Lease fixed =
                engine.lock("b", LockOptions.defaults().fixedLease(seconds(30))).acquire();

        runtime.advance(USABLE.dividedBy(3));

        assertThat(backend.renewals().get(0).ids())
                .containsExactly(backend.claim(0).id());
        assertThat(fixed.remaining()).isEqualTo(USABLE.minus(USABLE.dividedBy(3)));
    }

    @Test
    void renewal_thousandsOfHolds_sentInPartsAndEveryHoldOnce() {
        for (int i = 0; i < 2_500; i++) {
            lease("lock-" + i);
        }

        runtime.advance(USABLE.dividedBy(3));

        assertThat(backend.renewals())
                .hasSizeGreaterThan(1)
                .allMatch(call -> call.renewals().size() <= 1_000);
        assertThat(backend.renewals().stream().flatMap(call -> call.ids().stream()))
                .hasSize(2_500)
                .doesNotHaveDuplicates();
    }

    // ---- trouble

    @Test
    void renewal_callThrows_everyHoldOfTheRoundIsAtRiskAndTriedAgain() {
        Lease one = lease("a");
        Lease two = lease("b");
        backend.nextRenewal(ScriptedBackend.down());

        runtime.advance(USABLE.dividedBy(3));
        assertThat(events(LockEvent.AtRisk.class)).hasSize(2);
        assertThat(one.isValid()).isTrue();
        runtime.advance(seconds(1));

        assertThat(backend.renewals()).hasSize(2);
        assertThat(backend.renewals().get(1).renewals()).hasSize(2);
        assertThat(two.remaining()).isGreaterThan(USABLE.minusSeconds(2));
    }

    @Test
    void renewal_fails_triedAgainAfterASecond() {
        lock().acquire();
        backend.nextRenewal(ScriptedBackend.down());
        runtime.advance(USABLE.dividedBy(3));

        runtime.advance(millis(999));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(millis(2));
        assertThat(backend.renewals()).hasSize(2);
    }

    @Test
    void renewal_ofAShortLeaseFails_triedAgainAtAQuarterOfWhatIsLeft() {
        Duration usable = usable(seconds(3));
        engine.lock("a", LockOptions.defaults().lease(seconds(3))).acquire();
        backend.nextRenewal(ScriptedBackend.down());
        runtime.advance(usable.dividedBy(3));
        Duration left = usable.minus(usable.dividedBy(3));

        runtime.advance(left.dividedBy(4).minusMillis(1));
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(millis(2));
        assertThat(backend.renewals()).hasSize(2);
    }

    @Test
    void renewal_storeDownUntilTheDeadline_lostInTimeAsUnreachable() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        backend.renewals(renewals -> {
            runtime.jump(millis(1));
            throw new IllegalStateException("connection refused");
        });

        runtime.advance(USABLE.minusMillis(20));
        assertThat(lease.isValid()).isTrue();
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.advance(millis(21));

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.STORE_UNREACHABLE));
        assertThat(events(LockEvent.AtRisk.class)).hasSize(1);
    }

    /** A store that refuses at once: the tries must not come closer and closer to each other. */
    @Test
    void renewal_storeDownUntilTheDeadline_triesDoNotPileUp() {
        lock().acquire();
        storeMayKeepClaims();
        backend.renewals(ScriptedBackend.down());

        runtime.advance(USABLE);

        List<Long> times = backend.renewals().stream()
                .map(ScriptedBackend.Call.Renew::atNanos)
                .toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1))
                    .as("nanoseconds between tries %d and %d", i, i + 1)
                    .isGreaterThanOrEqualTo(millis(1).toNanos());
        }
    }

    @Test
    void renewal_wrongNumberOfAnswers_countsAsFailure() {
        Lease one = lease("a");
        Lease two = lease("b");
        backend.nextRenewal(renewals -> List.of(new RenewResult.Gone()));

        runtime.advance(USABLE.dividedBy(3));

        assertThat(one.isValid()).isTrue();
        assertThat(two.isValid()).isTrue();
        assertThat(events(LockEvent.AtRisk.class)).hasSize(2);
        assertThat(events(LockEvent.AtRisk.class).get(0).cause()).hasMessageContaining("1 of 2");
    }

    /** Not an exception that anybody expects; but the lease must not pay for it. */
    @Test
    void renewal_callThrowsAnError_triedAgain() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> {
            throw new LinkageError("half a deployment");
        });

        assertThatCode(() -> runtime.advance(USABLE.dividedBy(3))).doesNotThrowAnyException();
        assertThat(backend.renewals()).hasSize(1);
        runtime.advance(seconds(60));

        assertThat(lease.isValid()).isTrue();
        assertThat(backend.renewals()).hasSizeGreaterThan(1);
    }

    @Test
    void renewal_noAnswersAtAll_countsAsFailure() {
        Lease lease = lock().acquire();
        backend.nextRenewal(renewals -> null);

        runtime.advance(USABLE.dividedBy(3));

        assertThat(lease.isValid()).isTrue();
        assertThat(events(LockEvent.AtRisk.class)).hasSize(1);
    }

    @Test
    void renewal_callHangs_lossIsToldInTimeAndAsUnreachable() {
        Lease lease = lock().acquire();
        storeMayKeepClaims();
        runtime.renewals().stop();

        runtime.advance(USABLE.minus(NANO));
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.advance(NANO);

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "a", lease.token(), LostReason.STORE_UNREACHABLE));
    }

    @Test
    void renewal_callHangs_lossOfAnotherIsToldInTime() {
        lease("a");
        storeMayKeepClaims();
        Lease other =
                engine.lock("b", LockOptions.defaults().fixedLease(seconds(15))).acquire();
        runtime.renewals().stop();

        runtime.advance(usable(seconds(15)).minus(NANO));
        assertThat(events(LockEvent.Lost.class)).isEmpty();
        runtime.advance(NANO);

        assertThat(events(LockEvent.Lost.class))
                .containsExactly(LockEvent.Lost.of(LockKind.LOCK, "b", other.token(), LostReason.EXPIRED));
    }

    @Test
    void renewal_callHangs_otherHoldsAreRenewedAllTheSame() {
        lease("a");
        storeMayKeepClaims();
        runtime.advance(seconds(8));
        Lease other = lease("b");
        List<List<String>> rounds = new ArrayList<>();
        backend.renewals(renewals -> {
            rounds.add(renewals.stream()
                    .map(each -> each.claim().resource().name())
                    .toList());
            if (rounds.size() == 1) {
                runtime.advance(seconds(60));
            }
            return ScriptedBackend.renewAll(renewals);
        });

        runtime.advance(USABLE.dividedBy(3).minusSeconds(8));

        assertThat(rounds.get(0)).contains("a");
        assertThat(rounds.get(1)).as("renewed while the first call hung").contains("b");
        assertThat(other.isValid()).isTrue();
        assertThat(events(LockEvent.Lost.class))
                .extracting(LockEvent.Lost::name)
                .containsExactly("a");
    }
}
