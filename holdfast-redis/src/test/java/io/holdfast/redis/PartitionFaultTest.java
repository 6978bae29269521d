package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Resource;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisReplicas;
import io.holdfast.testing.redis.RedisSentinels;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A link is cut and both sides live: the former master, which does not know it and goes on for its
 * {@code min-replicas-max-lag}, and the replica that took over with every record.
 */
@Tag("integration")
@Timeout(60)
class PartitionFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @RegisterExtension
    final Bench bench = new Bench();

    /**
     * Rule: a hold that another server confirmed last is renewed only if it lasts longer than that server may still go
     * on. A record on the new master is not enough: the former one hands the same lock on when its lease ends there.
     */
    @Test
    void replaced_formerMasterStillWrites_shortHoldIsGoneThoughTheNewOneKnowsIt() {
        RedisReplicas pair = pair();
        NamedMaster here = bench.open(new NamedMaster(pair.master()));
        NamedMaster there = bench.open(new NamedMaster(pair.master()));
        RawLocks holder = bench.raw(strict(here.uri()));
        RawLocks other = bench.raw(strict(there.uri()));
        Claim mutex = holder.claim("a", 3_000, false);
        Claim share = share(holder, 3_000);
        Claim lasting = holder.claim("lasting", 20_000, false);
        holder.grant(mutex);
        holder.grant(share);
        holder.grant(lasting);
        RedisServer successor = takeOver(pair, here);

        Bench.soon("an answer of the new master")
                .until(() -> holder.renew(lasting, 20_000), RenewResult.Renewed.class::isInstance);
        assertThat(bench.hold(successor, "a")).as("what the new master knows").contains(holder.id());
        assertThat(holder.renew(mutex, 3_000)).isInstanceOf(RenewResult.Gone.class);
        assertThat(holder.renew(share, 3_000)).isInstanceOf(RenewResult.Gone.class);

        Bench.soon("the former master hands them on")
                .ignoreExceptions() // at first its connections are gone
                .until(() -> other.attempt(other.claim("a", 3_000, false)), AttemptResult.Granted.class::isInstance);
        Bench.soon("shares too")
                .until(() -> other.attempt(share(other, 3_000)), AttemptResult.Granted.class::isInstance);
        assertThat(other.attempt(other.claim("lasting", 3_000, false)))
                .as("what was taken along")
                .isInstanceOf(AttemptResult.Busy.class);
    }

    /**
     * A cut link with real Sentinels and whole clients, while both masters write: the two holds are never valid at
     * once.
     */
    @Test
    @Tag("full")
    void sentinelFailover_cutOffMasterStillWrites_neverTwo() {
        RedisSentinels sentinels = bench.open(RedisSentinels.startWithFronts(
                RedisVersion.V7_0, 2, server -> server.config("min-replicas-to-write", "1")));
        RedisServer former = sentinels.awaitMaster();
        NamedMaster there = bench.open(new NamedMaster(former));
        strict(sentinels.uri()).startEmpty().connect().close();
        LockClient mine = bench.client(strict(sentinels.uri()));
        LockClient others = bench.client(strict(there.uri()));
        Lease shorter = mine.lock("a", lease(4)).acquire();
        Lease longer = mine.lock("b", lease(20)).acquire();
        CompletableFuture<Lease> a = others.lock("a", lease(4)).acquireAsync();
        CompletableFuture<Lease> b = others.lock("b", lease(20)).acquireAsync();
        bench.awaitListening(former, "a", 1);
        bench.awaitListening(former, "b", 1);

        sentinels.isolate(former, true);
        sentinels.awaitMasterOtherThan(former);
        Bench.soon("the former master has handed it on").until(() -> {
            assertThat(isValid(a) && shorter.isValid())
                    .as("two valid leases of a")
                    .isFalse();
            return a.isDone();
        });
        assertThat(isValid(a)).as("by the former master").isTrue();
        Bench.always(
                "never two, while both may write",
                LONGEST.dividedBy(2),
                () -> !(isValid(a) && shorter.isValid()) && !(isValid(b) && longer.isValid()));
        assertThat(longer.isValid()).as("what had enough left").isTrue();
    }

    /**
     * A master of a Cluster is cut off, and goes on for its lag, while its replica takes over with every record: what
     * has less left than that is gone there and told, and what has more is kept.
     */
    @Test
    void clusterTakeover_cutOffMasterStillWrites_shortHoldIsGoneAndLongOneIsKept() {
        RedisCluster cluster = bench.open(RedisCluster.startWithFronts(RedisVersion.V7_0, 1, node -> node));
        cluster.masters().forEach(PartitionFaultTest::needReplica);
        RedisServer former = cluster.masterOf(bench.key("a"));
        RedisServer successor = cluster.replicasOf(former).get(0);
        String lasting = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "n" + i)
                .filter(name -> cluster.masterOf(bench.key(name)) == former)
                .findFirst()
                .orElseThrow();
        cluster(cluster).startEmpty().connect().close();
        LockClient client = bench.client(cluster(cluster).requestTimeout(Duration.ofSeconds(1)));
        Lease shorter = client.lock("a", lease(12)).acquire();
        Lease longer = client.lock(lasting, lease(60)).acquire();
        String probe = bench.key("a") + ":probe";
        former.command("SET", probe, "1");
        assertThat(former.command("WAIT", "1", "5000")).isEqualTo(1L);
        former.command("CONFIG", "SET", "cluster-node-timeout", "60000");

        cluster.isolate(former, true);
        cluster.takeover(successor);
        assertThat(former.command("SET", probe, "2"))
                .as("the former one goes on")
                .isEqualTo("OK");
        assertThat(bench.hold(successor, "a")).as("what the new master knows").contains(" 12000 ");
        Bench.soon("a renewal by the new master").ignoreExceptions().until(() -> {
            longer.extend(Duration.ofSeconds(60));
            return true;
        });
        assertThatThrownBy(() -> shorter.extend(Duration.ofSeconds(12))).isInstanceOf(LockLostException.class);
        assertThat(Bench.get(shorter.lost()))
                .as("by the answer, not by its end")
                .isEqualTo(LostReason.FORGOTTEN);
        assertThat(longer.isValid()).isTrue();
        assertThat(bench.topToken(successor, lasting)).isGreaterThanOrEqualTo(longer.token());
    }

    private RedisLocksBuilder cluster(RedisCluster cluster) {
        return strict(cluster.uri()).longestLease(Duration.ofSeconds(60));
    }

    /** Must be asked before the other one: then a pause in between proves nothing wrong. */
    private static boolean isValid(CompletableFuture<Lease> waiter) {
        return waiter.isDone()
                && !waiter.isCompletedExceptionally()
                && waiter.join().isValid();
    }

    private static LockOptions lease(int seconds) {
        return LockOptions.defaults().lease(Duration.ofSeconds(seconds));
    }

    private RedisLocksBuilder strict(String url) {
        return bench.builder(url).safety(Safety.STRICT).longestLease(LONGEST);
    }

    private RedisReplicas pair() {
        RedisReplicas pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        needReplica(pair.master());
        strict(pair.master().uri()).startEmpty().connect().close();
        return pair;
    }

    private static void needReplica(RedisServer server) {
        server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        Bench.soon("a good replica")
                .until(() -> "1".equals(server.info("replication").get("min_slaves_good_slaves")));
    }

    /** Cuts the link between the two, and lets the replica take over unannounced. */
    private static RedisServer takeOver(RedisReplicas pair, NamedMaster here) {
        RedisServer successor = pair.replicas().get(0);
        pair.awaitInStep();
        pair.link(successor).halfOpen();
        pair.promote(successor);
        here.name(successor);
        pair.master().clientKill("normal"); // whoever was there looks for the master again
        return successor;
    }

    private static Claim share(RawLocks locks, long leaseMillis) {
        return Claim.builder(
                        new ClaimId(locks.id(), 1_000 + System.nanoTime()),
                        new Resource(LockKind.SEMAPHORE, "s", 1),
                        Duration.ofMillis(leaseMillis))
                .label("raw")
                .build();
    }
}
