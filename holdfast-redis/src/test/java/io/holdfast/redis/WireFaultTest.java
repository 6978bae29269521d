package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests and replies that are lost, late or duplicated, and connections that break or only seem to live. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class WireFaultTest extends OnEachVersion {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** How many tokens the engine reserves at most with one grant. */
    private static final int BLOCK = 16;

    private FaultProxy proxy;

    @BeforeEach
    void open() {
        proxy = bench.open(FaultProxy.to(server));
    }

    @AfterEach
    void heal() {
        proxy.heal();
    }

    /** Connects as often as it takes: so little time may be too little for that on a busy machine. */
    private LockClient hasty(String url) {
        RedisLocksBuilder builder = bench.builder(url).requestTimeout(TIMEOUT);
        return bench.open(Bench.soon("a client").ignoreExceptions().until(builder::connect, client -> true));
    }

    private RawLocks hastyRaw(String url) {
        RedisLocksBuilder builder = bench.builder(url).requestTimeout(TIMEOUT);
        return bench.open(Bench.soon("a client")
                .ignoreExceptions()
                .until(() -> new RawLocks(builder.newBackend()), client -> true));
    }

    /** Row 7. Rule: a claim that holds already gets the same token. */
    @Test
    void attempt_replyLostAndAskedAgain_sameToken() {
        RawLocks raw = hastyRaw(proxy.uri());
        Claim claim = raw.claim("a", 30_000, false);
        proxy.closeInsteadOfReply(
                2, bench.attempts("a")); // the first is repeated: the connection might have ended long before
        assertThatThrownBy(() -> raw.attempt(claim))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("nobody knows whether");
        long executed = bench.topToken(server, "a");
        assertThat(raw.grant(claim)).isEqualTo(executed);
        assertThat(bench.topToken(server, "a")).isEqualTo(executed);
        assertThat(raw.release(claim)).isTrue();
        assertThat(bench.hold(server, "a")).isEqualTo(String.valueOf(executed));
    }

    /** Row 7. Rule: a claim with an unknown outcome is released until the release is certain. */
    @Test
    void tryAcquire_replyLost_throwsAndLeavesNothingBehind() {
        LockClient client = hasty(proxy.uri());
        proxy.dropReplies(1, bench.attempts("a"));
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockStoreException.class);
        proxy.heal();
        Bench.soon("no holder").until(() -> bench.hold(server, "a").matches("\\d+"));
    }

    /** Row 7. Rule: within the caller's time the same claim asks again. */
    @Test
    void acquire_replyLost_holdsOnceAndReleasesAll() throws Exception {
        LockClient client = hasty(proxy.uri());
        proxy.dropReplies(1, bench.attempts("a"));
        Lease lease = client.lock("a").tryAcquire(Duration.ofSeconds(5)).orElseThrow();
        long top = bench.topToken(server, "a");
        assertThat(lease.token()).isBetween(top - BLOCK + 1, top);
        lease.close();
        Bench.soon("no holder").until(() -> bench.hold(server, "a").matches("\\d+"));
    }

    /** Row 7 for a release. Rule: it is repeated in the background, and repeating it is harmless. */
    @Test
    void close_replyLost_freeForTheNext() {
        LockClient client = hasty(proxy.uri());
        Lease lease = client.lock("a").acquire();
        proxy.closeInsteadOfReply(1, bench.releases("a"));
        lease.close();
        try (Lease next = bench.client(server.uri()).lock("a").acquire()) {
            assertThat(next.token()).isGreaterThan(lease.token());
            Bench.always(
                    "the next holder keeps it",
                    TIMEOUT.multipliedBy(2),
                    () -> bench.hold(server, "a").contains(" "));
        }
    }

    /** Row 8. Rule: notAfter; a request that comes later than its timeout has no effect. */
    @Test
    void attempt_deliveredAfterItsTimeout_noEffect() {
        RawLocks raw = hastyRaw(proxy.uri());
        Claim claim = raw.claim("a", 30_000, true);
        proxy.holdRequests(bench.attempts("a"));
        long sent = System.nanoTime();
        assertThatThrownBy(() -> raw.attempt(claim)).isInstanceOf(LockStoreException.class);
        Bench.passes(sent + TIMEOUT.plusMillis(100).toNanos());
        long executed = evalshas();
        proxy.releaseHeld();
        Bench.soon("the late request").until(() -> evalshas() > executed);
        assertThat(server.command("EXISTS", bench.key("a"))).isEqualTo(0L);
    }

    private long evalshas() {
        return server.commandStats().get("evalsha").calls();
    }

    /** Row 9. Rule: notAfter, for a copy of a request that was answered long ago. */
    @Test
    void attempt_copyAfterTheRelease_refused() {
        RawLocks raw = hastyRaw(proxy.uri());
        Claim claim = raw.claim("a", 30_000, false);
        proxy.duplicateRequests(bench.attempts("a"));
        long sent = System.nanoTime();
        raw.grant(claim);
        raw.release(claim);
        Bench.passes(sent + TIMEOUT.plusMillis(100).toNanos());
        List<Object> replies = Bench.get(proxy.replayCaptured(Duration.ZERO));
        assertThat((List<?>) replies.get(0)).first().isEqualTo(-1L);
        assertThat(bench.hold(server, "a")).matches("\\d+");
    }

    /** Row 9. Rule: release and renewal check the claim, and touch no other. */
    @Test
    void releaseAndRenewal_copiesAfterTheNextHolder_changeNothing() {
        RawLocks raw = hastyRaw(proxy.uri());
        Claim old = raw.claim("a", 30_000, false);
        raw.grant(old);
        proxy.duplicateRequests(bench.releases("a").or(bench.renewals("a")));
        raw.renew(old, 40_000);
        raw.release(old);
        RawLocks next = bench.raw(server.uri());
        Claim claim = next.claim("a", 5_000, false);
        next.grant(claim);
        String before = bench.hold(server, "a");
        List<Object> replies = Bench.get(proxy.replayCaptured(Duration.ZERO));
        assertThat(replies.get(0)).as("the first one is not held").isEqualTo(List.of(1L, -1L));
        assertThat(replies.get(1)).isEqualTo(0L);
        assertThat(bench.hold(server, "a")).isEqualTo(before);
    }

    /** Row 10, requests cut. Rule: the holder's own deadline ends before the server lets anybody in. */
    @Test
    void holder_requestsCut_losesItBeforeTheNextIsIn() {
        LockClient cut = hasty(proxy.uri());
        Lease lease = cut.lock("a", Bench.lease(4_000)).acquire();
        CompletableFuture<Boolean> risk = new CompletableFuture<>();
        lease.onAtRisk(() -> risk.complete(lease.isValid()));
        CompletableFuture<Boolean> validAtNext =
                bench.client(server.uri()).lock("a").acquireAsync().thenApply(next -> lease.isValid());
        proxy.cutRequests();
        assertThat(Bench.get(risk)).as("valid when told of the risk").isTrue();
        assertThat(Bench.get(lease.lost())).isEqualTo(LostReason.STORE_UNREACHABLE);
        assertThat(Bench.get(validAtNext, Bench.POLL_BOUND)).isFalse();
    }

    /** Row 10, replies cut: the server renews what the holder believes lost. Rule: lost is final, and is released. */
    @Test
    void holder_repliesCut_losesItAndDoesNotBlockTheNext() {
        LockClient cut = hasty(proxy.uri());
        Lease lease = cut.lock("a", Bench.lease(4_000)).acquire();
        proxy.cutReplies();
        assertThat(Bench.get(lease.lost())).isEqualTo(LostReason.STORE_UNREACHABLE);
        try (Lease next = Bench.get(bench.client(server.uri()).lock("a").acquireAsync(), Duration.ofMillis(2_500))) {
            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(lease.isValid()).isFalse();
        }
    }

    /** Row 10, RST. Rule: nothing is lost with a connection; the next call makes a new one, and waiters ask again. */
    @Test
    void holderAndWaiter_connectionsReset_bothGoOn() {
        LockClient holder = bench.client(proxy.uri());
        Lease lease = holder.lock("a", Bench.lease(6_000)).acquire();
        CompletableFuture<Lease> waiter = bench.client(proxy.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        for (int i = 0; i < 3; i++) {
            proxy.reset();
            Bench.always("the holder keeps it", Duration.ofMillis(400), () -> lease.isValid() && !waiter.isDone());
        }
        Bench.awaitRenewal(lease);
        bench.awaitListening(server, "a", 1);
        lease.close();
        Bench.get(waiter, Bench.POLL_BOUND).close();
    }

    /**
     * Row 10, half open: the server sees a subscription that receives nothing. Rule: a message is a fast path, and the
     * poll decides.
     */
    @Test
    void waiter_subscriptionHalfOpen_servedByItsPoll() {
        Lease lease = bench.client(server.uri()).lock("a").acquire();
        CompletableFuture<Lease> waiter = bench.client(proxy.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        proxy.dropReplies(1, request -> request.get(0).equals("PING"));
        Bench.soon("a subscription that is dumb").until(() -> proxy.swallowedReplies() > 0);
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        assertThat(next.isValid()).isTrue();
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    /**
     * Row 10, a new connection without an answer. Rule: a call ends with its timeout, in an exception and not in
     * "busy".
     */
    @Test
    void tryAcquire_halfOpen_throwsWithinItsTimeout() {
        LockClient client = hasty(proxy.uri());
        proxy.halfOpen();
        CompletableFuture<Throwable> told = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> client.lock("a").tryAcquire()));
        assertThat(Bench.get(told, TIMEOUT.multipliedBy(2)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("127.0.0.1:" + proxy.port());
        proxy.heal();
        Bench.take(client, "a").close();
    }

    /** Rule: a grant that was made while its waiter left is passed on. */
    @Test
    void tryAcquire_timeUpWhileCut_placeGoesToTheNext() throws Exception {
        Lease lease = bench.client(server.uri()).lock("a").acquire();
        LockClient impatient = hasty(proxy.uri());
        assertThat(impatient.lock("a").tryAcquire(Duration.ofMillis(300))).isEmpty();
        CompletableFuture<Lease> next = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        lease.close();
        Bench.get(next, Bench.AT_ONCE).close();
    }

    /** Rule: one answer per claim, whatever its weight: a semaphore asked again holds once. */
    @Test
    void semaphore_replyLost_permitCountedOnce() throws Exception {
        LockClient client = hasty(proxy.uri());
        proxy.closeInsteadOfReply(
                1,
                request ->
                        request.get(0).equals("EVALSHA") && request.get(3).equals(bench.prefix() + ":semaphore:{s}"));
        Lease one = client.semaphore("s", 2).tryAcquire(Duration.ofSeconds(5)).orElseThrow();
        Lease two = bench.client(server.uri()).semaphore("s", 2).tryAcquire().orElseThrow();
        assertThat(bench.client(server.uri()).semaphore("s", 2).tryAcquire()).isEmpty();
        one.close();
        two.close();
        Bench.soon("nothing used")
                .until(() -> "0".equals(server.command("HGET", bench.prefix() + ":semaphore:{s}", "used")));
    }

    /** Rule: after an unknown outcome the same claim asks again, also while it waits. */
    @Test
    void waiter_replyLost_keepsOnePlace() {
        RawLocks holder = bench.raw(server.uri());
        holder.grant(holder.claim("a", 30_000, false));
        RawLocks waiter = hastyRaw(proxy.uri());
        Claim claim = waiter.claim("a", 30_000, true);
        proxy.closeInsteadOfReply(2, bench.attempts("a"));
        assertThatThrownBy(() -> waiter.attempt(claim)).isInstanceOf(LockStoreException.class);
        AttemptResult again = waiter.attempt(claim);
        assertThat(again)
                .isInstanceOfSatisfying(
                        AttemptResult.Queued.class,
                        queued -> assertThat(queued.place()).isEqualTo(1));
        assertThat(server.command("HGET", bench.key("a"), "line")).isEqualTo("0 1");
    }
}
