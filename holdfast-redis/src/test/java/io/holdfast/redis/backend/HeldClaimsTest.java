package io.holdfast.redis.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.servers.Following;
import io.holdfast.redis.servers.Gate;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.Tenure;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ServerClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeldClaimsTest {
    private static final long NOW = 12_345;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Claim CLAIM = claim(LockKind.LOCK);
    private static final Duration CUT_OFF = settings(true).cutOff();
    private static final Session ALONE = session("one", false, NOW);

    /**
     * Another server confirmed it, and may be alive and cut off: what counts is the time left when this one was first
     * met.
     */
    @Test
    void mayFollow_replicated_onlyWithMoreLeftThanTheOtherMayGoOn() {
        HeldClaims held = new HeldClaims(settings(true));
        held.granted(CLAIM, 7, LONG, NOW, session("one", true, NOW));
        long leftNanos = LONG.toNanos() * 99 / 100;
        long lastNanos = NOW + leftNanos - CUT_OFF.toNanos();

        assertThat(held.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos)))
                .isTrue();
        assertThat(held.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos + 1)))
                .isFalse();
        assertThat(held.reassertable(CLAIM.id(), "k", session("two", true, lastNanos + 1), lastNanos + 1))
                .isNull();
        assertThat(held.mayFollow(CLAIM.id(), "k", session("one", true, lastNanos + 1)))
                .as("the server that confirmed it")
                .isTrue();

        held.renewed(CLAIM.id(), SHORT, lastNanos, session("two", true, lastNanos));
        assertThat(held.mayFollow(CLAIM.id(), "k", session("two", true, lastNanos)))
                .as("confirmed there")
                .isTrue();
        assertThat(held.mayFollow(CLAIM.id(), "k", session("one", true, lastNanos)))
                .isFalse();
    }

    @Test
    void mayFollow_nothingKnownOfIt_onlyWhereNobodyElseIsAlive() {
        HeldClaims held = new HeldClaims(settings(true));
        assertThat(held.mayFollow(CLAIM.id(), "k", session("one", true, NOW))).isFalse();
        assertThat(held.mayFollow(CLAIM.id(), "k", session("one", false, NOW))).isTrue();
        assertThat(new HeldClaims(settings(false)).mayFollow(CLAIM.id(), "k", session("one", true, NOW)))
                .isTrue();
        assertThat(new HeldClaims(settings(true).asMember(3)).mayFollow(CLAIM.id(), "k", session("one", true, NOW)))
                .isTrue();
    }

    @Test
    void reassertable_heldOrNot_theLongerEntryCounts() {
        HeldClaims held = new HeldClaims(settings(true));
        held.granted(CLAIM, 7, LONG, NOW, session("one", true, NOW));
        held.handedOver(CLAIM.id(), 7, SHORT, NOW, session("one", true, NOW));
        assertThat(held.reassertable(CLAIM.id(), "k", session("two", true, NOW), NOW))
                .as("a message that comes late")
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(7));
        held.released(CLAIM.id());
        assertThat(held.reassertable(CLAIM.id(), "k", session("two", true, NOW), NOW))
                .isNull();
    }

    @Test
    void reassertable_aloneServer_anyLease() {
        HeldClaims held = new HeldClaims(settings(true));
        held.granted(CLAIM, 7, SHORT, NOW, ALONE);
        assertThat(held.reassertable(CLAIM.id(), "k", session("two", false, NOW), NOW))
                .isNotNull();
    }

    /** Over by the server's own clock, so another client may have held it since, whatever the holder has elsewhere. */
    @Test
    void reassertable_leaseOver_nothing() {
        HeldClaims held = new HeldClaims(settings(true));
        held.granted(CLAIM, 7, SHORT, NOW, ALONE);
        assertThat(held.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos() * 98 / 100))
                .isNotNull();
        assertThat(held.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos() * 99 / 100))
                .isNull();
    }

    @Test
    void granted_raised_keepsTheGreaterTokenAndTheLaterEnd() {
        HeldClaims held = new HeldClaims(settings(true));
        held.granted(CLAIM, 7, LONG, NOW, ALONE);
        held.granted(CLAIM, 9, SHORT, NOW, ALONE);
        assertThat(held.reassertable(CLAIM.id(), "k", ALONE, NOW + SHORT.toNanos()))
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(9));
    }

    @Test
    void size_notGuardedOrLatchOrOver_isZero() {
        HeldClaims open = new HeldClaims(settings(false));
        open.granted(CLAIM, 7, LONG, NOW, ALONE);
        HeldClaims guarded = new HeldClaims(settings(true));
        guarded.granted(claim(LockKind.LATCH), 8, LONG, NOW, ALONE);
        guarded.granted(CLAIM, 7, SHORT, NOW, ALONE);
        guarded.tidy(NOW + LONG.toNanos());

        assertThat(open.size()).isZero();
        assertThat(guarded.size()).isZero();
    }

    private static Claim claim(LockKind kind) {
        return Claim.builder(new ClaimId("client", 1), new Resource(kind, "name", 1), LONG)
                .tokens(16)
                .waits(true)
                .label("label")
                .build();
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
                new ClockSkew(Duration.ZERO),
                replicated,
                metNanos);
    }

    private static RedisSettings settings(boolean strict) {
        return new RedisSettings(
                "test",
                null,
                Duration.ofSeconds(1),
                Timing.SYSTEM,
                strict,
                Duration.ofMinutes(1),
                0,
                LONG,
                false,
                false,
                null,
                0);
    }
}
