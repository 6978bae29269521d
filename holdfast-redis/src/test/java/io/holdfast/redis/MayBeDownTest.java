package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.Safety;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that is opened before its server; a server that is wrong is told from one that is not there. */
@Tag("integration")
@Timeout(60)
class MayBeDownTest {
    private static RedisServer server;

    @RegisterExtension
    final Bench bench = new Bench();

    private FaultProxy proxy;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void refuse() {
        server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        proxy = bench.open(FaultProxy.to(server));
        proxy.refuse();
    }

    private RedisLocksBuilder early(String url) {
        return bench.builder(url).mayBeDown().clientName("early");
    }

    private static boolean isKnown(RedisServer there) {
        return String.valueOf(there.command("CLIENT", "LIST")).contains(" name=early ");
    }

    @Test
    void connect_nobodyAnswers_refusedUnlessItMayBe() {
        assertThatThrownBy(() -> bench.client(proxy.uri()))
                .isInstanceOf(LockStoreException.class)
                .isNotInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("check host and port");
        LockClient client = bench.client(early(proxy.uri()));
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .isNotInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("nothing was asked for");
    }

    @Test
    void connect_nobodyAnswers_whoWantsToKnowIsToldOnce() {
        List<LockStoreException> told = new CopyOnWriteArrayList<>();
        bench.client(bench.builder(proxy.uri()).mayBeDown(told::add));
        assertThat(told)
                .singleElement(InstanceOfAssertFactories.THROWABLE)
                .isNotInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("check host and port");
        proxy.heal();
        bench.client(bench.builder(proxy.uri()).mayBeDown(told::add));
        assertThat(told).hasSize(1);
    }

    @Test
    void connect_serverComesLater_clientConnectsByItself() {
        LockClient client = bench.client(early(proxy.uri()));
        proxy.heal();
        Bench.soon("a client that nobody used").until(() -> isKnown(server));
        Lease lease = Bench.take(client, "a");
        CompletableFuture<Lease> next = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        lease.close();
        Bench.get(next, Bench.AT_ONCE).close();
    }

    /** Nothing is known of a cluster before somebody looks. */
    @Test
    void connect_clusterComesLater_clientConnectsByItself() {
        RedisCluster cluster = bench.open(RedisCluster.start(RedisVersion.V7_0));
        RedisServer seed = cluster.masters().get(0);
        FaultProxy door = bench.open(FaultProxy.to(seed));
        door.refuse();
        LockClient client = bench.client(early("redis-cluster://127.0.0.1:" + door.port()));
        door.heal();
        Bench.soon("a client that nobody used")
                .until(() -> isKnown(cluster.masters().get(1)));
        Bench.take(client, "a").close();
    }

    @Test
    void connect_masterComesLater_clientConnectsByItself() {
        NamedMaster sentinel = bench.open(new NamedMaster(proxy.port()));
        LockClient client = bench.client(early(sentinel.uri()).safety(Safety.AVAILABLE));
        proxy.heal();
        Bench.soon("a client that nobody used").until(() -> isKnown(server));
        Bench.take(client, "a").close();
    }

    @Test
    void connect_unfitServer_refusedAlthoughItMayBeDown() {
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        assertThatThrownBy(() -> bench.client(early(server.uri())))
                .isInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("maxmemory-policy")
                .matches(failure -> ((LockStoreUnfitException) failure).isLasting());
        RedisServer replica = bench.open(
                RedisServer.builder(RedisVersion.V7_0).replicaOf(server).start());
        assertThatThrownBy(() -> bench.client(early(replica.uri()).acceptEviction()))
                .isInstanceOf(LockStoreUnfitException.class)
                .hasMessageContaining("is a replica of");
    }

    @Test
    void call_unfitServerComesLater_refusedWithATypeOfItsOwnUntilItIsFit() {
        LockClient client = bench.client(early(proxy.uri()));
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        proxy.heal();
        Bench.soon("an answer that says why")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreUnfitException.class)
                        .hasMessageContaining("maxmemory-policy"));
        server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        Bench.take(client, "a").close();
    }

    @Test
    void call_clockOfALateServerIsFarBehind_refused() {
        ClockShim shim = new ClockShim();
        RedisServer late =
                bench.open(RedisServer.builder(RedisVersion.V7_0).clock(shim).start());
        shim.step(Duration.ofMinutes(-5));
        FaultProxy door = bench.open(FaultProxy.to(late));
        door.refuse();
        LockClient client = bench.client(early(door.uri()));
        door.heal();
        Bench.soon("an answer that says why")
                .untilAsserted(() -> assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(LockStoreUnfitException.class)
                        .hasMessageContaining("has a clock that is"));
    }
}
