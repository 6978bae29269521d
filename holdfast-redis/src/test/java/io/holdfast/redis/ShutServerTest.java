package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.Safety;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a guarded server does while it is shut, with records and lines from before. */
@Tag("integration")
@Timeout(60)
class ShutServerTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @RegisterExtension
    final Bench bench = new Bench();

    private final AtomicLong sequence = new AtomicLong(1_000);
    private RedisServer server;

    @BeforeEach
    void open() {
        server = bench.open(
                RedisServer.builder(RedisVersion.V7_0).appendFsync("always").start());
        strict().startEmpty().connect().close();
    }

    /** Rule: a release on a server that is shut hands over to nobody. */
    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"LOCK", "SEMAPHORE"})
    void release_somebodyWaits_freesAndServesNobody(LockKind kind) {
        Resource resource = new Resource(kind, "a", 1);
        RawLocks holder = bench.raw(strict());
        RawLocks waiter = bench.raw(strict());
        Claim held = claim(holder, resource, false);
        Claim next = claim(waiter, resource, true);
        holder.grant(held);
        assertThat(waiter.attempt(next)).isInstanceOf(AttemptResult.Queued.class);
        server.restart();
        waitsForEver(resource, next);

        assertThat(released(holder, held)).isTrue();
        assertThat(fields(resource)).as("who has it").doesNotContain("30000 " + holder.id(), "=" + holder.id());
        assertThat(isHeldBy(resource, waiter)).isFalse();
        assertThat(refused(waiter, next)).isInstanceOf(AttemptResult.Refused.class);
    }

    /** Rule: what a holder put back, and an operator ended since, is not put back once more. */
    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"LOCK", "SEMAPHORE"})
    void revoke_putBackBefore_staysEnded(LockKind kind) {
        Resource resource = new Resource(kind, "a", 1);
        RawLocks holder = bench.raw(strict());
        RawLocks operator = bench.raw(strict());
        Claim held = claim(holder, resource, false);
        holder.grant(held);
        server.restartEmpty();
        assertThat(renewed(holder, held)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(operator.backend().revoke(held)).isTrue();
        assertThat(renewed(holder, held)).isInstanceOf(RenewResult.Gone.class);
        assertThat(isHeldBy(resource, holder)).isFalse();
    }

    /** The same if the server came back with the record. */
    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"LOCK", "SEMAPHORE"})
    void revoke_recordIsThere_staysEnded(LockKind kind) {
        Resource resource = new Resource(kind, "a", 1);
        RawLocks holder = bench.raw(strict());
        RawLocks operator = bench.raw(strict());
        Claim held = claim(holder, resource, false);
        holder.grant(held);
        server.restart();
        assertThat(Bench.soon("an answer")
                        .ignoreExceptions()
                        .until(() -> operator.backend().revoke(held), known -> true))
                .isTrue();
        assertThat(renewed(holder, held)).isInstanceOf(RenewResult.Gone.class);
        assertThat(isHeldBy(resource, holder)).isFalse();
    }

    /** Rule: a latch counts nothing while the server is shut, and opens for nobody. */
    @Test
    void attempt_latch_refused() {
        Resource latch = new Resource(LockKind.LATCH, "l", 2);
        RawLocks locks = bench.raw(strict());
        Claim arrival = claim(locks, latch, false);
        assertThat(locks.attempt(arrival)).isInstanceOf(AttemptResult.Granted.class);
        server.restart();
        Object before = fields(latch);
        assertThat(refused(locks, claim(locks, latch, false)))
                .as("the second arrival")
                .isInstanceOf(AttemptResult.Refused.class);
        Claim waiter = claim(locks, latch, true).toBuilder().weight(0).build();
        assertThat(refused(locks, waiter)).as("whoever waits").isInstanceOf(AttemptResult.Refused.class);
        assertThat(fields(latch)).isEqualTo(before);
    }

    private static RenewResult renewed(RawLocks locks, Claim claim) {
        return Bench.soon("an answer")
                .until(() -> locks.renew(claim, 30_000), answer -> !(answer instanceof RenewResult.Failed));
    }

    private RedisLocksBuilder strict() {
        return bench.builder(server.uri()).safety(Safety.STRICT).longestLease(LONGEST);
    }

    private Claim claim(RawLocks locks, Resource resource, boolean waits) {
        return Claim.builder(new ClaimId(locks.id(), sequence.incrementAndGet()), resource, Duration.ofSeconds(30))
                .waits(waits)
                .label("raw")
                .build();
    }

    private String key(Resource resource) {
        return Keys.key(bench.prefix(), resource);
    }

    private String fields(Resource resource) {
        return String.valueOf(server.command("HGETALL", key(resource)));
    }

    /** Writes the first place in the line anew, alive however long the restart took, and served without a message. */
    private void waitsForEver(Resource resource, Claim claim) {
        server.command("HSET", key(resource), "q1", Keys.claim(claim) + " " + Long.MAX_VALUE / 1_024 + " 3000 1 1 -");
    }

    private boolean isHeldBy(Resource resource, RawLocks locks) {
        Object hold = server.command("HGET", key(resource), "hold");
        return hold != null
                ? hold.toString().contains(locks.id())
                : fields(resource).contains("=" + locks.id());
    }

    /** A server that comes up may not answer at first. */
    private static boolean released(RawLocks locks, Claim claim) {
        return Bench.soon("an answer").ignoreExceptions().until(() -> locks.release(claim), known -> true);
    }

    private static AttemptResult refused(RawLocks locks, Claim claim) {
        return Bench.soon("an answer").ignoreExceptions().until(() -> locks.attempt(claim), answer -> true);
    }
}
