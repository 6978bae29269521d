package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.RedisReplicas;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is granted with {@code replicas(n)} was written by so many replicas, whichever way it came. */
@Tag("integration")
@Timeout(60)
class ReplicaGrantTest {
    private static final String TOO_FEW = "fewer than 1 replicas had it";

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisReplicas pair;
    private RedisServer master;

    @BeforeEach
    void start() {
        pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        master = pair.master();
    }

    private RawLocks replicated() {
        return bench.raw(bench.builder(master.uri()).replicas(1, Duration.ofMillis(200)));
    }

    /** The replica may be slow on a busy machine, and has little time. */
    private static void awaitGrant(RawLocks locks, String name) {
        Bench.soon("the replica has caught up")
                .ignoreExceptions()
                .until(() -> locks.attempt(locks.claim(name, 20_000, false)), AttemptResult.Granted.class::isInstance);
    }

    @Test
    void attempt_replicaIsBehind_isGivenBack() {
        RawLocks locks = replicated();
        awaitGrant(locks, "first");
        pair.stallReplication();
        assertThatThrownBy(() -> locks.attempt(locks.claim("a", 20_000, false)))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(TOO_FEW);
        assertThat(bench.hold(master, "a")).as("given back").doesNotContain(" ");
    }

    /** Rule: a message is no proof that replicas have the grant; whoever hears it asks, and that waits for them. */
    @Test
    void handOver_replicaIsBehind_isGivenBack() {
        RawLocks holder = bench.raw(master.uri());
        RawLocks waiter = replicated();
        Claim held = holder.claim("a", 20_000, false);
        Claim waiting = waiter.claim("a", 20_000, true);
        holder.grant(held);
        waiter.queue(waiting);
        pair.stallReplication();
        holder.release(held);
        Bench.soon("the message").until(() -> waiter.served().contains(waiting.id()));
        assertThat(waiter.grants()).as("believed").isEmpty();
        assertThatThrownBy(() -> waiter.attempt(waiting))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(TOO_FEW);
        pair.healReplication();
        awaitGrant(waiter, "a");
    }

    /** Rule: a claim that asks again writes, however soon: replicas are counted by what its connection wrote last. */
    @Test
    void attempt_askedAgainAtOnce_writes() {
        int claims = 300;
        RawLocks locks = bench.raw(master.uri());
        locks.grant(locks.claim("first", 2_000, false));
        master.resetStats();
        for (int i = 0; i < claims; i++) {
            Claim claim = locks.claim("a" + i, 2_000, false);
            locks.grant(claim);
            locks.grant(claim);
        }
        assertThat(master.commandStats().get("pexpire").calls()).isGreaterThanOrEqualTo(2L * claims);
    }
}
