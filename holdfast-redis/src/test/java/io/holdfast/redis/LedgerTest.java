package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long NOW = 12_345;
    private static final Claim CLAIM = claim(LockKind.LOCK);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration CUT_OFF = settings(Safety.STRICT).cutOff();
    private static final Session ALONE = session("one", false, NOW);

    /** Confirmed by another server, which may be cut off and alive: what is left counts, from when this one was met, not the length. */
    @Test
    void mayFollow_replicated_onlyWithMoreLeftThanTheOtherMayGoOn() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, LONG, NOW, session("one", true, NOW));
        long leftNanos = LONG.toNanos() * 99 / 100;
        long lastNanos = NOW + leftNanos - CUT_OFF.toNanos();

        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos)))
                .isTrue();
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos + 1)))
                .isFalse();
        assertThat(ledger.reassertable(CLAIM.id(), "k", session("two", true, lastNanos + 1), lastNanos + 1))
                .isNull();
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("one", true, lastNanos + 1)))
                .as("the server that confirmed it")
                .isTrue();

        ledger.renewed(CLAIM.id(), SHORT, lastNanos, session("two", true, lastNanos));
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos)))
                .as("confirmed there")
                .isTrue();
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("one", true, lastNanos)))
                .isFalse();
    }

    @Test
    void mayFollow_nothingKnownOfIt_onlyWhereNobodyElseIsAlive() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("one", true, NOW))).isFalse();
        assertThat(ledger.mayFollow(CLAIM.id(), "k", session("one", false, NOW)))
                .isTrue();
        assertThat(new Ledger(settings(Safety.AVAILABLE)).mayFollow(CLAIM.id(), "k", session("one", true, NOW)))
                .isTrue();
        assertThat(new Ledger(settings(Safety.STRICT).asMember(3))
                        .mayFollow(CLAIM.id(), "k", session("one", true, NOW)))
                .isTrue();
    }

    @Test
    void reassertable_heldOrNot_theLongerEntryCounts() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, LONG, NOW, session("one", true, NOW));
        ledger.handedOver(CLAIM.id(), 7, SHORT, NOW, session("one", true, NOW));
        assertThat(ledger.reassertable(CLAIM.id(), "k", session("two", true, NOW), NOW))
                .as("a message that comes late")
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(7));
        ledger.released(CLAIM.id());
        assertThat(ledger.reassertable(CLAIM.id(), "k", session("two", true, NOW), NOW))
                .isNull();
    }

    @Test
    void reassertable_aloneServer_anyLease() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, SHORT, NOW, ALONE);
        assertThat(ledger.reassertable(CLAIM.id(), "k", session("two", false, NOW), NOW))
                .isNotNull();
    }

    /** Over by the server's own count, so somebody else may have had it since, whatever the holder has elsewhere. */
    @Test
    void reassertable_leaseOver_nothing() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, SHORT, NOW, ALONE);
        assertThat(ledger.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos() * 98 / 100))
                .isNotNull();
        assertThat(ledger.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos() * 99 / 100))
                .isNull();
    }

    @Test
    void granted_raised_keepsTheGreaterTokenAndTheLaterEnd() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, LONG, NOW, ALONE);
        ledger.granted(CLAIM, 9, SHORT, NOW, ALONE);
        assertThat(ledger.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos()))
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(9));
    }

    @Test
    void size_notGuardedOrLatchOrOver_isZero() {
        Ledger open = new Ledger(settings(Safety.AVAILABLE));
        open.granted(CLAIM, 7, LONG, NOW, ALONE);
        Ledger guarded = new Ledger(settings(Safety.STRICT));
        guarded.granted(claim(LockKind.LATCH), 8, LONG, NOW, ALONE);
        guarded.granted(CLAIM, 7, SHORT, NOW, ALONE);
        guarded.tidy(NOW + LONG.toNanos());

        assertThat(open.size()).isZero();
        assertThat(guarded.size()).isZero();
    }

    private static Claim claim(LockKind kind) {
        return new Claim(new ClaimId("client", 1), new Resource(kind, "name", 1), 1, LONG, 16, true, "label");
    }

    private static Session session(String incarnation, boolean replicated, long metNanos) {
        return new Session(
                incarnation,
                new Scripts(incarnation, "test", null),
                new ServerClock(),
                "p",
                "test",
                "client",
                "",
                false,
                Gate.OPEN,
                Tenure.ALL,
                new Following(),
                Duration.ZERO,
                replicated,
                metNanos);
    }

    private static RedisSettings settings(Safety safety) {
        return new RedisSettings(
                "test", null, Duration.ofSeconds(1), safety, Duration.ofMinutes(1), 0, LONG, false, false, 0);
    }
}
