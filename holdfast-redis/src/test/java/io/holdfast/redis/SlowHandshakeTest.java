package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that answers everything in time, but so slowly that a handshake takes longer than one request may. */
@Tag("integration")
@Timeout(60)
class SlowHandshakeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SLOW = Duration.ofMillis(400);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private FaultProxy wire;

    @BeforeEach
    void open() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        wire = bench.open(FaultProxy.to(server));
    }

    private RedisLocksBuilder builder() {
        return bench.builder(wire.uri()).requestTimeout(TIMEOUT);
    }

    /** Rule: each answer of a handshake has the time of a request. */
    @Test
    void connect_eachAnswerIsSlow_connects() {
        wire.delayReplies(SLOW);
        RawLocks locks = bench.raw(builder());
        assertThat(locks.grant(locks.claim("a", 20_000, false))).isPositive();
    }

    /** Rule: a handshake goes on when whoever began it has no more time. */
    @Test
    void call_handshakeTakesLongerThanEachCallerHas_isAnsweredInTheEnd() {
        RawLocks locks = bench.raw(builder());
        wire.delayReplies(SLOW);
        wire.reset(); // whoever calls next has to shake hands first
        Claim claim = locks.claim("a", 20_000, false);
        Bench.soon("a caller that is answered")
                .ignoreExceptions()
                .until(() -> locks.backend().attempt(claim, TIMEOUT) instanceof AttemptResult.Granted);
    }

    /** Rule: whoever waits for a handshake waits no longer than it has time. */
    @Test
    void call_handshakeHangs_endsInItsOwnTime() {
        RawLocks locks = bench.raw(builder().requestTimeout(Bench.PATIENCE.multipliedBy(2)));
        wire.holdRequests(SlowHandshakeTest::isLoad);
        wire.reset();
        Claim claim = locks.claim("a", 20_000, false);
        Bench.failure(inShort(locks, claim)); // of the dead connection, perhaps
        assertThat(Bench.failure(inShort(locks, claim)))
                .hasCauseInstanceOf(LockStoreException.class)
                .hasMessageContaining("has not yet answered all that a handshake asks");
        wire.heal();
    }

    /** Rule: callers do not wait for the look that a guarded server gets from time to time. */
    @Test
    void call_aGuardedServerIsLookedAt_isAnsweredMeanwhile() {
        RawLocks locks = guarded();
        wire.holdRequests(SlowHandshakeTest::isLoad);
        Bench.soon("a look").until(() -> wire.held() > 0);
        assertThat(locks.grant(locks.claim("b", 2_000, false))).isPositive();
    }

    /** Rule: a look that fails leaves the server in doubt. */
    @Test
    void call_aLookIsRefused_isRefusedToo() {
        RawLocks locks = guarded();
        server.command("ACL", "SETUSER", "default", "-script"); // which only a handshake needs
        Bench.soon("a refusal").until(() -> {
            try {
                locks.attempt(locks.claim("b", 2_000, false));
                return false;
            } catch (LockStoreException refused) {
                return refused.isLasting();
            }
        });
    }

    private static CompletableFuture<AttemptResult> inShort(RawLocks locks, Claim claim) {
        return CompletableFuture.supplyAsync(() -> locks.backend().attempt(claim, Duration.ofMillis(200)));
    }

    private static boolean isLoad(List<String> request) {
        return request.get(0).equals("SCRIPT");
    }

    /** It is looked at once a second. */
    private RawLocks guarded() {
        RawLocks locks = bench.raw(builder().safety(Safety.STRICT).startEmpty().longestLease(Duration.ofSeconds(3)));
        locks.grant(locks.claim("a", 2_000, false));
        return locks;
    }
}
