package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.RedisReplicas;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another server takes over, with everything or without the last writes. */
@Tag("integration")
@Timeout(60)
class FailoverFaultTest {
    @RegisterExtension
    final Bench bench = new Bench();

    /**
     * Row 12. Rule: a call that meets a replica looks for the master again, and holder and waiter notice nothing else.
     */
    @Test
    void sentinelFailover_replicaInStep_holderKeepsItAndWaiterIsServed() {
        RedisSentinels sentinels = bench.open(RedisSentinels.start(RedisVersion.V7_0));
        RedisLocksBuilder builder = bench.builder(sentinels.uri()).safety(Safety.AVAILABLE);
        Lease lease = bench.client(builder).lock("a", Bench.lease(15_000)).acquire();
        CompletableFuture<Lease> waiter = bench.client(builder).lock("a").acquireAsync();
        RedisServer former = sentinels.currentMaster();
        bench.awaitListening(former, "a", 1);
        RedisServer master = sentinels.failover();
        assertThat(master).isNotSameAs(former);
        Bench.soon("a renewal by the new master").ignoreExceptions().until(() -> {
            lease.extend(Duration.ofSeconds(15));
            return bench.hold(master, "a").contains(" ");
        });
        assertThat(lease.isValid()).isTrue();
        assertThat(waiter).isNotDone();
        bench.awaitListening(master, "a", 1);
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    /**
     * Row 13, {@link Safety#AVAILABLE}. Rule: tokens come from the clock, so they grow over a loss; the former holder
     * is told.
     */
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void failover_writesLost_available_grantsAgainWithAHigherToken(RedisVersion version) {
        RedisReplicas pair = bench.open(RedisReplicas.start(version, 1));
        NamedMaster sentinel = bench.open(new NamedMaster(pair.master()));
        RedisLocksBuilder builder = bench.builder(sentinel.uri()).safety(Safety.AVAILABLE);
        LockClient former = bench.client(builder);
        LockClient other = bench.client(builder);
        pair.cutReplication();
        Lease lease = former.lock("a", Bench.lease(4_000)).acquire();
        failOver(pair, sentinel);
        Lease next = Bench.take(other, "a");
        assertThat(next.token()).isGreaterThan(lease.token());
        Bench.get(lease.lost(), Duration.ofMillis(3_500));
        assertThat(next.isValid()).isTrue();
        next.close();
    }

    /**
     * Row 14, {@link Safety#STRICT}. Rules: a server that took over grants nothing new while a lease from before may
     * last; a holder with enough time left re-creates its lock there with its token; one with less does not, because a
     * master that is cut off may have handed the lock on meanwhile.
     */
    @Test
    void failover_writesLost_strict_onlyLongLeasesComeAlong() {
        RedisReplicas pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        NamedMaster sentinel = bench.open(new NamedMaster(pair.master()));
        RedisLocksBuilder builder = bench.builder(sentinel.uri()).longestLease(Duration.ofSeconds(20));
        builder.startEmpty().connect().close();
        RedisLocksBuilder strict = bench.builder(sentinel.uri()).longestLease(Duration.ofSeconds(20));
        RawLocks holder = bench.raw(strict);
        RawLocks newcomer = bench.raw(strict);
        pair.awaitInStep();
        pair.cutReplication();
        Claim longLease = holder.claim("long", 20_000, false);
        long token = holder.grant(longLease);
        Claim shortLease = holder.claim("short", 5_000, false);
        holder.grant(shortLease);
        RedisServer successor = failOver(pair, sentinel);

        assertThat(renewed(holder, shortLease, 5_000)).isInstanceOf(RenewResult.Gone.class);
        assertThat(successor.command("EXISTS", bench.key("short"))).isEqualTo(0L);
        assertThat(renewed(holder, longLease, 20_000)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(bench.topToken(successor, "long")).isEqualTo(token);
        for (String name : new String[] {"long", "short", "new"}) {
            AttemptResult result = attempted(newcomer, newcomer.claim(name, 5_000, true));
            assertThat(result)
                    .as(name)
                    .isInstanceOfSatisfying(
                            AttemptResult.Refused.class,
                            refused -> assertThat(refused.retryAfter())
                                    .as("not before the longest lease has ended")
                                    .isGreaterThan(Duration.ofSeconds(20)));
        }
        assertThat(holder.release(longLease)).isTrue();
    }

    /**
     * Row 16, {@link Safety#STRICT}. Rule: the mark names the process and its replication history. A server that was a
     * replica for a moment is the same process with the same scripts and a mark, but has lost what the other one never
     * had.
     */
    @Test
    void demotedAndPromotedAgain_strict_isNoticed() {
        RedisReplicas pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        RedisServer server = pair.master();
        RedisServer other = pair.replicas().get(0);
        RedisLocksBuilder strict =
                bench.builder(server.uri()).safety(Safety.STRICT).longestLease(Duration.ofSeconds(2));
        strict.startEmpty().connect().close();
        RedisLocksBuilder later =
                bench.builder(server.uri()).safety(Safety.STRICT).longestLease(Duration.ofSeconds(2));
        RawLocks holder = bench.raw(later);
        RawLocks newcomer = bench.raw(later);
        pair.awaitInStep();
        pair.cutReplication();
        Claim held = holder.claim("a", 2_000, false);
        holder.grant(held);
        String mark = mark(server);
        assertThat(mark(other)).as("what the other one has of the mark").isEqualTo(mark);

        pair.promote(other);
        server.command("REPLICAOF", other.host(), String.valueOf(other.port()));
        Bench.soon("a replica in step")
                .until(() -> "up".equals(server.info("replication").get("master_link_status")));
        server.command("REPLICAOF", "NO", "ONE");
        assertThat(server.command("EXISTS", bench.key("a")))
                .as("the lock is lost")
                .isEqualTo(0L);
        Bench.soon("a new mark").until(() -> !idOf(mark(server)).equals(idOf(mark)));
        Bench.soon("the other client noticed too")
                .until(
                        () -> attempted(newcomer, newcomer.claim("any", 100, false)),
                        AttemptResult.Refused.class::isInstance);
        assertThat(attempted(newcomer, newcomer.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Refused.class);
    }

    /**
     * Row 16, with everything lost, the mark too. Rule: no mark means that it may have been forgotten, with everything
     * else.
     */
    @Test
    void demotedToAnEmptyServerAndPromotedAgain_strict_grantsNothingNew() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        RedisServer empty = bench.open(RedisServer.start(RedisVersion.V7_0));
        RedisLocksBuilder strict =
                bench.builder(server.uri()).safety(Safety.STRICT).longestLease(Duration.ofSeconds(2));
        bench.builder(server.uri())
                .safety(Safety.STRICT)
                .longestLease(Duration.ofSeconds(2))
                .startEmpty()
                .connect()
                .close();
        RawLocks holder = bench.raw(strict);
        RawLocks newcomer = bench.raw(strict);
        holder.grant(holder.claim("a", 2_000, false));
        String mark = mark(server);
        server.command("REPLICAOF", empty.host(), String.valueOf(empty.port()));
        Bench.soon("a replica in step")
                .until(() -> "up".equals(server.info("replication").get("master_link_status")));
        server.command("REPLICAOF", "NO", "ONE");
        Bench.soon("a new mark")
                .until(() -> mark(server).contains(" ") && !idOf(mark(server)).equals(idOf(mark)));
        Bench.soon("the other client noticed too")
                .until(
                        () -> attempted(newcomer, newcomer.claim("any", 100, false)),
                        AttemptResult.Refused.class::isInstance);
        assertThat(attempted(newcomer, newcomer.claim("a", 1_000, false))).isInstanceOf(AttemptResult.Refused.class);
    }

    private static String idOf(String mark) {
        return mark.split(" ", -1)[0];
    }

    private String mark(RedisServer server) {
        return String.valueOf(server.command("GET", bench.prefix() + ":guard"));
    }

    private static RedisServer failOver(RedisReplicas pair, NamedMaster sentinel) {
        RedisServer successor = pair.replicas().get(0);
        pair.master().kill();
        pair.promote(successor);
        sentinel.name(successor);
        return successor;
    }

    /** Renews until the server that took over has answered. */
    private static RenewResult renewed(RawLocks locks, Claim claim, long millis) {
        return Bench.soon("an answer")
                .until(() -> locks.renew(claim, millis), result -> !(result instanceof RenewResult.Failed));
    }

    private static AttemptResult attempted(RawLocks locks, Claim claim) {
        return Bench.soon("an answer").ignoreExceptions().until(() -> locks.attempt(claim), result -> true);
    }
}
