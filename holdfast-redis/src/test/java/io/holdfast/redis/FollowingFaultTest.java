package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.RedisReplicas;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A master that has lost its replicas and does not notice, however late: its grants do not count. */
@Tag("integration")
@Timeout(90)
class FollowingFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String NOBODY = "replicas follow it";

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisReplicas pair;
    private RedisServer master;

    @BeforeEach
    void start() {
        pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        master = pair.master();
        strict(master.uri()).startEmpty().connect().close();
    }

    /**
     * Rule: an attempt, a renewal and a message of a master count only if its replicas followed it a short while ago.
     */
    @Test
    void cutOff_masterDoesNotNotice_nothingOfItCounts() {
        RawLocks holder = bench.raw(strict(master.uri()));
        RawLocks waiter = bench.raw(strict(master.uri()));
        Claim held = holder.claim("a", 60_000, false);
        Claim kept = holder.claim("kept", 60_000, false);
        Claim waiting = waiter.claim("a", 60_000, true);
        holder.grant(held);
        holder.grant(kept);
        needReplica("3600");
        pair.awaitInStep();
        pair.link(pair.replicas().get(0)).halfOpen();
        master.command("SCRIPT", "FLUSH"); // whoever comes shakes hands first

        assertThatThrownBy(() -> waiter.attempt(waiter.claim("b", 60_000, false)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(NOBODY);
        assertThat(bench.hold(master, "b")).as("what the master believes").contains(waiter.id());
        master.command("SCRIPT", "FLUSH");
        assertThat(holder.renew(kept, 60_000))
                .isInstanceOfSatisfying(
                        RenewResult.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining(NOBODY));
        waiter.queue(waiting);
        holder.release(held);
        Bench.soon("the message").until(() -> waiter.served().contains(waiting.id()));
        assertThat(waiter.grants()).as("believed").isEmpty();
    }

    /** Rule: a proof is a write that replicas have, and it is asked for once, not with each call. */
    @Test
    void followedAgain_oneProofIsEnough() {
        needReplica("3600");
        String mark = bench.prefix() + ":guard";
        pair.stallReplication();
        RawLocks locks = bench.raw(strict(master.uri())); // no replica has what its handshake wrote
        pair.healReplication();
        pair.awaitInStep();
        master.command("PEXPIRE", mark, "3600000");
        master.resetStats();

        for (int i = 0; i < 100; i++) {
            Claim claim = locks.claim("a", 60_000, false);
            locks.grant(claim);
            locks.release(claim);
        }

        assertThat((long) master.command("PTTL", mark))
                .as("written with the proof")
                .isGreaterThan(3_600_000);
        assertThat(master.commandStats().get("evalsha").calls()).isEqualTo(200);
        assertThat(master.commandStats().get("wait").calls()).as("proofs").isBetween(1L, 3L);
    }

    /** Rule: an interrupt is no reason to disbelieve a master. */
    @Test
    void threadIsInterrupted_proofIsAskedForAllTheSame() {
        needReplica("3600");
        pair.stallReplication();
        RawLocks locks = bench.raw(strict(master.uri()));
        pair.healReplication();
        pair.awaitInStep();
        Thread.currentThread().interrupt();
        try {
            locks.grant(locks.claim("a", 60_000, false));
        } finally {
            assertThat(Thread.interrupted()).as("the flag").isTrue();
        }
    }

    /** Rule: where the mark is gone, nothing is written and nothing is proven. */
    @Test
    void markGone_noProof() {
        needReplica("3600");
        pair.stallReplication();
        RawLocks locks = bench.raw(strict(master.uri()));
        pair.healReplication();
        pair.awaitInStep();
        master.command("DEL", bench.prefix() + ":guard");

        assertThatThrownBy(() -> locks.attempt(locks.claim("a", 60_000, false)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(NOBODY);
    }

    /**
     * The whole story: the master is cut off, is paused for longer than it may go on, and wakes up with an idle client.
     */
    @Test
    @Tag("full")
    void cutOffAndFrozen_idleClientAsksAtTheWakeUp_notGranted() {
        needReplica("10");
        RawLocks idle = bench.raw(strict(master.uri()).requestTimeout(Duration.ofSeconds(10)));
        Claim first = idle.claim("first", 60_000, false);
        idle.grant(first);
        pair.awaitInStep();
        pair.link(pair.replicas().get(0)).halfOpen();
        master.pause();
        passes(14);
        CompletableFuture<AttemptResult> late =
                CompletableFuture.supplyAsync(() -> idle.attempt(idle.claim("a", 60_000, false)));
        passes(1); // so that it is there when the master wakes up, before that counts anything
        master.resume();

        assertThat(Bench.failure(late)).hasMessageContaining(NOBODY);
        assertThat(bench.hold(master, "a")).as("what the master believes").contains(idle.id());
        assertThat(idle.renew(first, 60_000)).isInstanceOf(RenewResult.Failed.class);
    }

    private static void passes(int seconds) {
        long untilNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        Bench.soon("time").atMost(Duration.ofSeconds(30)).until(() -> System.nanoTime() - untilNanos > 0);
    }

    /** A client that was idle for long asks for one proof and goes on. */
    @Test
    @Tag("full")
    void idleForLong_healthyPair_goesOn() {
        needReplica("10");
        RawLocks idle = bench.raw(strict(master.uri()));
        idle.grant(idle.claim("first", 60_000, false));
        passes(14);

        assertThat(idle.attempt(idle.claim("a", 60_000, false))).isInstanceOf(AttemptResult.Granted.class);
    }

    private RedisLocksBuilder strict(String url) {
        return bench.builder(url).safety(Safety.STRICT).longestLease(LONGEST);
    }

    private void needReplica(String maxLag) {
        master.command("CONFIG", "SET", "min-replicas-max-lag", maxLag);
        master.command("CONFIG", "SET", "min-replicas-to-write", "1");
        Bench.soon("a good replica")
                .until(() -> "1".equals(master.info("replication").get("min_slaves_good_slaves")));
    }
}
