package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many waiters have died, and living ones stand behind them: a request or a release goes on until the next one is
 * served.
 */
@Tag("integration")
@Timeout(60)
class DeadCrowdTest {
    /** More than 16 calls of 128 places can remove. */
    private static final int CROWD = 3_000;

    /** About how many calls that takes: some milliseconds each, because others must wait for the server meanwhile. */
    private static final int MOST_CALLS = 10;

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
    }

    /** Rule: a release goes on until a waiter is served; that one is told and need not ask. */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "SEMAPHORE"})
    void released_behindACrowdThatDied_theNextIsServedByTheRelease(LockKind kind) {
        RawLocks holder = bench.raw(server.uri());
        RawLocks waiter = bench.raw(server.uri());
        Claim held = claim(holder, kind, 1, false);
        holder.grant(held);
        dies(kind, CROWD);
        Claim next = claim(waiter, kind, 1, true);
        waiter.queue(next);
        server.resetStats();
        holder.release(held);

        Bench.soon("a grant by message").until(() -> waiter.grants().size() == 1);
        assertThat(calls()).isBetween(2L, (long) MOST_CALLS);
    }

    /** Rule: a lock that is free is found by one try, however many dead places are before it. */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "SEMAPHORE"})
    void free_behindACrowdThatDied_oneTryFindsIt(LockKind kind) {
        RawLocks crashed = bench.raw(server.uri());
        crashed.grant(claim(crashed, kind, 1, false));
        dies(kind, CROWD);
        over(kind);
        RawLocks other = bench.raw(server.uri());
        server.resetStats();

        assertThat(other.grant(claim(other, kind, 1, false))).isPositive();
        assertThat(calls()).isBetween(2L, (long) MOST_CALLS);
    }

    /** Rule: a waiter asks again at once when told so, at any place. */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "SEMAPHORE"})
    void holderDied_waiterBehindACrowdThatDied_isServedWhenItAsks(LockKind kind) {
        RawLocks crashed = bench.raw(server.uri());
        crashed.grant(claim(crashed, kind, 1, false));
        dies(kind, CROWD);
        RawLocks waiter = bench.raw(server.uri());
        Claim next = claim(waiter, kind, 1, true);
        waiter.queue(next);
        over(kind);
        server.resetStats();

        assertThat(waiter.attempt(next)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(calls()).isBetween(2L, (long) MOST_CALLS);
    }

    /** Rule: nothing that the server may know of is told as busy, or else nobody would give it back. */
    @Test
    void attempt_noTurnToGoOn_tellsOfItsPlace() {
        RawLocks crashed = bench.raw(server.uri());
        crashed.grant(claim(crashed, LockKind.LOCK, 1, false));
        dies(LockKind.LOCK, CROWD);
        over(LockKind.LOCK);
        FaultProxy proxy = bench.open(FaultProxy.to(server));
        RawLocks locks = bench.raw(bench.builder(proxy.uri()).connections(1).requestTimeout(Duration.ofSeconds(10)));
        Claim next = claim(locks, LockKind.LOCK, 100, true);
        CompletableFuture<AttemptResult> asked = new CompletableFuture<>();
        Predicate<List<String>> first = bench.attempts("first");
        Predicate<List<String>> slow = bench.attempts("slow");
        proxy.holdRequests(request -> {
            if (first.test(request)) { // the two wait for the only connection, and then use it together
                waits(() -> asked.complete(locks.backend().attempt(next, Duration.ofSeconds(2))));
                waits(() -> locks.attempt(locks.claim("slow", 20_000, false)));
            }
            return slow.test(request);
        });

        locks.grant(locks.claim("first", 20_000, false));

        assertThat(Bench.get(asked)).isInstanceOf(AttemptResult.Queued.class);
        proxy.releaseHeld();
    }

    private static void waits(Runnable call) {
        Thread thread = new Thread(call, "caller");
        thread.setDaemon(true);
        thread.start();
        Bench.soon("a caller to wait").until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    /** A crowd that really waited. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "SEMAPHORE"})
    void fourThousandWaitersDie_theNextIsServed(LockKind kind) {
        RawLocks holder = bench.raw(server.uri());
        Claim held = claim(holder, kind, 1, false);
        holder.grant(held);
        RawLocks crowd = bench.raw(server.uri());
        crowd.queue(claim(crowd, kind, 1, true));
        for (int i = 2; i <= 4_000; i++) {
            assertThat(crowd.attempt(claim(crowd, kind, i, true))).isInstanceOf(AttemptResult.Queued.class);
        }
        RawLocks waiter = bench.raw(server.uri());
        Claim next = claim(waiter, kind, 1, true);
        waiter.queue(next);
        crowd.close();
        String channel = bench.prefix() + ":client:" + crowd.id();
        Bench.soon("nobody listens there")
                .until(() ->
                        server.command("PUBSUB", "NUMSUB", channel).toString().endsWith("0]"));
        waiter.attempt(next); // so that its own place lasts
        server.resetStats();
        holder.release(held);

        Bench.soon("a grant").until(() -> waiter.grants().size() == 1);
        assertThat(calls()).isLessThanOrEqualTo(MOST_CALLS);
    }

    private static Claim claim(RawLocks of, LockKind kind, long sequence, boolean waits) {
        Resource resource = new Resource(kind, "a", 1);
        return Claim.builder(new ClaimId(of.id(), sequence), resource, Duration.ofSeconds(20))
                .waits(waits)
                .label("")
                .build();
    }

    private String key(LockKind kind) {
        return Keys.key(bench.prefix(), new Resource(kind, "a", 1));
    }

    /** Adds places of claims that asked a moment ago and whose client no longer listens. */
    private void dies(LockKind kind, int count) {
        server.command("EVAL", """
                for i = 1, ARGV[1] do
                  redis.call('HSET', KEYS[1], 'q' .. i, 'dead:' .. i .. ':x 9000000000000000 3000 1 1 p', '@dead:' .. i .. ':x', i)
                end
                redis.call('HSET', KEYS[1], 'line', '0 ' .. ARGV[1])
                local hold = redis.call('HGET', KEYS[1], 'hold')
                if hold then redis.call('HSET', KEYS[1], 'hold', hold .. ' +') end
                """, "1", key(kind), String.valueOf(count));
    }

    /** The lease of the holder ends. */
    private void over(LockKind kind) {
        if (kind == LockKind.LOCK) {
            server.command("PEXPIRE", key(kind), "9999");
        } else {
            server.command(
                    "EVAL",
                    "for i, f in ipairs(redis.call('HKEYS', KEYS[1])) do if f:sub(1, 1) == '=' then"
                            + " redis.call('HSET', KEYS[1], f, '1 1 1 1 20000', 'soonest', '1') end end",
                    "1",
                    key(kind));
        }
    }

    private long calls() {
        return server.commandStats().get("evalsha").calls();
    }
}
