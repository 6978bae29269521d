package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisCluster;
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

/**
 * A master that falls silent, with its connections open, while another one takes over: a stopped process, a cable. The
 * client holds and does nothing else, so only its renewals and its subscription can notice.
 */
@Tag("integration")
@Timeout(90)
class SilentDeathFaultTest {
    @RegisterExtension
    final Bench bench = new Bench();

    /** Rule: the subscription does not keep callers from noticing. */
    @Test
    void cableCut_subscriptionBrokeFirst_holderFindsTheNewMaster() {
        Cable cable = new Cable();
        Lease lease = bench.client(cable.clients).lock("a", Bench.lease(8_000)).acquire();
        cable.cut();
        cable.proxy.reset();
        cable.sentinel.name(cable.successor);
        assertFollowed(lease, cable.successor);
    }

    /** Rule: a handshake that fails on the connection doubts the master, whoever made it. */
    @Test
    void cableCut_listenerCouldNotShakeHands_firstRenewalGoesToTheNewMaster() {
        Cable cable = new Cable();
        RawLocks holder = bench.raw(cable.clients);
        Claim held = holder.claim("a", 20_000, false);
        holder.grant(held);
        cable.cut();
        long before = cable.proxy.accepted();
        cable.proxy.reset();
        Bench.soon("the listener has tried and tries again").until(() -> cable.proxy.accepted() >= before + 2);
        cable.sentinel.name(cable.successor);
        Bench.soon("and again").until(() -> cable.proxy.accepted() >= before + 3);
        assertThat(holder.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
    }

    /** Rule: a renewal that is skipped because its server is silent doubts the master. */
    @Test
    void cableCut_oldMasterStillNamed_renewalAfterTheNextNameGoesThere() {
        Cable cable = new Cable();
        RawLocks holder = bench.raw(cable.clients);
        Claim held = holder.claim("a", 20_000, false);
        holder.grant(held);
        cable.cut();
        assertThat(holder.renew(held, 20_000)).isInstanceOf(RenewResult.Failed.class);
        assertThat(holder.renew(held, 20_000)).as("still named").isInstanceOf(RenewResult.Failed.class);
        cable.sentinel.name(cable.successor);
        assertThat(holder.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
    }

    /** A master behind a cable, and one that has taken over when it is cut. */
    private final class Cable {
        private final RedisReplicas pair = bench.open(RedisReplicas.start(RedisVersion.V7_0, 1));
        private final FaultProxy proxy = bench.open(FaultProxy.to(pair.master()));
        private final NamedMaster sentinel = bench.open(new NamedMaster(proxy.port()));
        private final RedisServer successor = pair.replicas().get(0);
        private final RedisLocksBuilder clients = bench.builder(sentinel.uri()).safety(Safety.AVAILABLE);

        void cut() {
            pair.awaitInStep();
            pair.promote(successor);
            proxy.halfOpen();
        }
    }

    @Test
    void clusterMasterStopped_holderFindsTheNewMaster() {
        RedisCluster cluster = bench.open(RedisCluster.startWithReplicas(RedisVersion.V7_0));
        RedisServer master = cluster.masterOf(bench.key("a"));
        Lease lease = waitedFor(cluster.uri(), Bench.lease(9_000));
        master.pause();
        assertFollowed(lease, cluster.awaitMasterOtherThan(master, bench.key("a")));
    }

    /** The usual lease, and Sentinels that take a second: the subscription notices before the renewal does. */
    @Tag("full")
    @Test
    void sentinelMasterStopped_usualLease_holderFindsTheNewMaster() {
        RedisSentinels sentinels = bench.open(RedisSentinels.start(RedisVersion.V7_0));
        Lease lease = bench.client(bench.builder(sentinels.uri()).safety(Safety.AVAILABLE))
                .lock("a")
                .acquire();
        RedisServer master = sentinels.currentMaster();
        master.pause();
        assertFollowed(lease, sentinels.awaitMasterOtherThan(master));
    }

    @Tag("full")
    @Test
    void sentinelMasterStopped_strict_holderFindsTheNewMaster() {
        RedisSentinels sentinels = bench.open(
                RedisSentinels.start(RedisVersion.V7_0, 2, server -> server.config("min-replicas-to-write", "1")));
        bench.builder(sentinels.uri()).startEmpty().connect().close();
        Lease lease = bench.client(sentinels.uri()).lock("a").acquire();
        RedisServer master = sentinels.currentMaster();
        master.pause();
        assertFollowed(lease, sentinels.awaitMasterOtherThan(master));
    }

    @Tag("full")
    @Test
    void clusterMasterStopped_usualLease_holderFindsTheNewMaster() {
        RedisCluster cluster = bench.open(RedisCluster.startWithReplicas(RedisVersion.V7_0));
        RedisServer master = cluster.masterOf(bench.key("a"));
        Lease lease = waitedFor(cluster.uri(), LockOptions.defaults());
        master.pause();
        assertFollowed(lease, cluster.awaitMasterOtherThan(master, bench.key("a")));
    }

    /** In a cluster, only a client that has waited listens. */
    private Lease waitedFor(String uri, LockOptions options) {
        Lease first = bench.client(uri).lock("a").acquire();
        CompletableFuture<Lease> waiter = bench.client(uri).lock("a", options).acquireAsync();
        Bench.always("it waits", Duration.ofMillis(300), () -> !waiter.isDone());
        first.close();
        Lease lease = Bench.get(waiter);
        lease.extend(options.lease()); // what is handed over is short at first
        return lease;
    }

    /** The lease was not lost, and is renewed there: the record's life grows between two looks. */
    private void assertFollowed(Lease lease, RedisServer successor) {
        long[] lives = {Long.MAX_VALUE};
        Bench.soon("a renewal by the new master").atMost(Duration.ofSeconds(40)).until(() -> {
            long before = lives[0];
            lives[0] = (Long) successor.command("PTTL", bench.key("a"));
            return lives[0] > before || !lease.isValid();
        });
        assertThat(lease.isValid()).as("still held").isTrue();
        lease.close();
        assertThat(bench.hold(successor, "a")).as("released there").doesNotContain(" ");
    }
}
