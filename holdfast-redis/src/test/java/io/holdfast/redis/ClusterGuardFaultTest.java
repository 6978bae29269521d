package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A shard that forgot is shut, and its slots go to another one, which forgot nothing and knows nothing. */
@Tag("integration")
@Timeout(60)
class ClusterGuardFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisCluster cluster;
    private int slot;
    private RedisServer from;
    private RedisServer to;

    @BeforeEach
    void open() {
        cluster = bench.open(RedisCluster.start(RedisVersion.V7_0));
        slot = RedisCluster.slotOf(bench.key("a"));
        from = cluster.masterOf(slot);
        to = cluster.masters().stream().filter(node -> node != from).findFirst().orElseThrow();
        strict().startEmpty().connect().close();
    }

    /** Rule: a slot that came from another shard is shut, for clients that knew that shard and for newcomers. */
    @Test
    void slotOfAShardThatForgot_movedToAnother_isShutThere() {
        RawLocks holder = bench.raw(strict());
        RawLocks other = bench.raw(strict());
        Claim held = holder.claim("a", 60_000, false);
        long token = holder.grant(held);
        assertThat(other.attempt(other.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Busy.class);
        from.restartEmpty();
        cluster.awaitOk();
        assertRefused(other, "a");

        cluster.migrateSlot(slot, from, to);
        other.release(other.claim("a", 1_000, false)); // so it knows who has the slot, and shook hands with it before
        assertRefused(other, "a");
        RawLocks newcomer = bench.raw(strict());
        assertRefused(newcomer, "a");
        assertThat(newcomer.attempt(newcomer.claim(here(to), 1_000, false)))
                .as("what was always there")
                .isInstanceOf(AttemptResult.Granted.class);

        RenewResult answer = Bench.soon("an answer")
                .until(() -> holder.renew(held, 60_000), result -> !(result instanceof RenewResult.Failed));
        assertThat(answer).as("the holder puts it back").isInstanceOf(RenewResult.Renewed.class);
        assertThat(bench.topToken(to, "a")).isEqualTo(token);
        assertRefused(newcomer, "a");
    }

    /** Rule: a shut shard does not redirect a claim: it lacks the record only because it forgot it. */
    @Test
    void slotOfAShardThatForgot_onItsWay_isNotGrantedByTheOther() {
        RawLocks holder = bench.raw(strict());
        RawLocks other = bench.raw(strict());
        holder.grant(holder.claim("a", 20_000, false));
        from.restartEmpty();
        cluster.awaitOk();
        cluster.beginMigration(slot, from, to);
        assertRefused(other, "a");
        assertRefused(bench.raw(strict()), "a");
    }

    /** Rule: while a slot moves, the shard that it leaves answers for it. */
    @Test
    void slotOfAHealthyShard_onItsWay_isGrantedWhereverItIs() {
        RawLocks locks = bench.raw(strict());
        RawLocks other = bench.raw(strict());
        Claim held = locks.claim("a", 20_000, false);
        locks.grant(held);
        cluster.beginMigration(slot, from, to);
        Claim fresh = locks.claim(inSlot(), 20_000, false);
        locks.grant(fresh);
        assertThat(other.attempt(other.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Busy.class);
        cluster.moveKeys(slot, from, to);
        assertThat(other.attempt(other.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Busy.class);
        assertThat(locks.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
        cluster.finishMigration(slot, from, to);
        assertThat(locks.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(locks.release(fresh)).isTrue();
    }

    /** Rule: a shard that sends a client on has lost the slot, and is looked at before the slot can come back. */
    @Test
    void slotWasAtAShardThatForgot_comesBack_isShut() {
        RawLocks holder = bench.raw(strict());
        RawLocks other = bench.raw(strict());
        holder.grant(holder.claim("a", 20_000, false));
        assertThat(other.attempt(other.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Busy.class);
        cluster.migrateSlot(slot, from, to);
        assertThat(other.release(other.claim("a", 1_000, false)))
                .as("sent on, and in vain")
                .isFalse();
        to.restartEmpty();
        cluster.awaitOk();
        cluster.migrateSlot(slot, to, from);
        assertRefused(other, "a");
        assertRefused(bench.raw(strict()), "a");
    }

    private static void assertRefused(RawLocks locks, String name) {
        AttemptResult answer = Bench.soon("an answer")
                .ignoreExceptions()
                .until(
                        () -> locks.attempt(locks.claim(name, 1_000, false)),
                        result -> !(result instanceof AttemptResult.Refused refused)
                                || refused.retryAfter().compareTo(Duration.ofSeconds(1)) > 0);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        AttemptResult.Refused.class,
                        shut -> assertThat(shut.retryAfter()).isGreaterThan(Duration.ofSeconds(15)));
    }

    private RedisLocksBuilder strict() {
        return bench.builder(cluster.uri()).safety(Safety.STRICT).longestLease(LONGEST);
    }

    private String here(RedisServer server) {
        return name(key -> cluster.masterOf(key) == server && RedisCluster.slotOf(key) != slot);
    }

    private String inSlot() {
        return name(key -> RedisCluster.slotOf(key) == slot);
    }

    private String name(java.util.function.Predicate<String> fits) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "n" + i)
                .filter(name -> fits.test(bench.key(name)))
                .findFirst()
                .orElseThrow();
    }
}
