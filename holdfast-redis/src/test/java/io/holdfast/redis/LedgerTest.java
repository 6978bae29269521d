package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long NOW = 12_345;
    private static final Claim CLAIM = claim(Kind.LOCK);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);

    @Test
    void reassertable_replicated_onlyLongLeases() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));

        ledger.granted(CLAIM, 7, SHORT, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), true, NOW)).isNull();

        ledger.renewed(CLAIM.id(), LONG, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), true, NOW))
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(7));

        ledger.handedOver(CLAIM.id(), 7, SHORT, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), true, NOW))
                .as("a message that comes late")
                .isNotNull();

        ledger.released(CLAIM.id());
        assertThat(ledger.reassertable(CLAIM.id(), true, NOW)).isNull();
    }

    @Test
    void reassertable_aloneServer_anyLease() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, SHORT, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), false, NOW)).isNotNull();
    }

    /** Over by the server's own count, so somebody else may have had it since, whatever the holder has elsewhere. */
    @Test
    void reassertable_leaseOver_nothing() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, SHORT, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), false, NOW + SHORT.toNanos() * 98 / 100))
                .isNotNull();
        assertThat(ledger.reassertable(CLAIM.id(), false, NOW + SHORT.toNanos() * 99 / 100))
                .isNull();
    }

    @Test
    void granted_raised_keepsTheGreaterTokenAndTheLaterEnd() {
        Ledger ledger = new Ledger(settings(Safety.STRICT));
        ledger.granted(CLAIM, 7, LONG, NOW);
        ledger.granted(CLAIM, 9, SHORT, NOW);
        assertThat(ledger.reassertable(CLAIM.id(), false, NOW + SHORT.toNanos()))
                .satisfies(entry -> assertThat(entry.token()).isEqualTo(9));
    }

    @Test
    void size_notGuardedOrLatchOrOver_isZero() {
        Ledger open = new Ledger(settings(Safety.AVAILABLE));
        open.granted(CLAIM, 7, LONG, NOW);
        Ledger guarded = new Ledger(settings(Safety.STRICT));
        guarded.granted(claim(Kind.LATCH), 8, LONG, NOW);
        guarded.granted(CLAIM, 7, SHORT, NOW);
        guarded.tidy(NOW + LONG.toNanos());

        assertThat(open.size()).isZero();
        assertThat(guarded.size()).isZero();
    }

    private static Claim claim(Kind kind) {
        return new Claim(new ClaimId("client", 1), new Resource(kind, "name", 1), 1, LONG, 16, true, "label");
    }

    private static RedisSettings settings(Safety safety) {
        return new RedisSettings(
                "test", null, Duration.ofSeconds(1), safety, Duration.ofMinutes(1), 0, LONG, false, false, 0);
    }
}
