package io.holdfast.quorum;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockException;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.process.Opened;
import io.holdfast.testing.process.Patience;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;

/** Independent servers, each with its own clock and behind a proxy, and clients over them. Closed in reverse order. */
final class Rig implements AutoCloseable {
    /** The longest lease of every client here: a node that forgot waits for it. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    /** How long such a node is shut. */
    static final Duration SHUT = Duration.ofMillis(6_050);

    /** A node that takes longer counts as silent: more than a machine takes that others use too. */
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(1_500);

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(20));
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Opened opened = new Opened();
    private final String prefix;
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<ClockShim> clocks = new ArrayList<>();

    /** Servers of its own, which may be killed. */
    Rig(int nodes) {
        prefix = "holdfast";
        for (int i = 0; i < nodes; i++) {
            ClockShim clock = new ClockShim();
            RedisServer server = open(RedisServer.builder(RedisVersion.V7_0)
                    .clock(clock)
                    .appendFsync("always")
                    .start());
            clocks.add(clock);
            servers.add(server);
            proxies.add(open(FaultProxy.to(server)));
        }
        builder().startEmpty().connect().close();
    }

    /** Names and proxies of its own, on servers that others use at the same time, so that only wires may be cut. */
    Rig(Servers shared) {
        prefix = "rig-" + COUNT.incrementAndGet();
        for (RedisServer server : shared.list()) {
            servers.add(server);
            proxies.add(open(FaultProxy.to(server)));
        }
        builder().startEmpty().connect().close();
    }

    <T extends AutoCloseable> T open(T resource) {
        return opened.open(resource);
    }

    RedisServer server(int node) {
        return servers.get(node);
    }

    FaultProxy proxy(int node) {
        return proxies.get(node);
    }

    ClockShim clock(int node) {
        return clocks.get(node);
    }

    /** The servers themselves, without proxies. */
    List<String> urls() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    QuorumLocksBuilder builder() {
        return own(urls());
    }

    private QuorumLocksBuilder own(List<String> urls) {
        return builder(urls).eachNode(node -> node.prefix(prefix));
    }

    static QuorumLocksBuilder builder(List<String> urls) {
        return QuorumLocks.builder(urls)
                .nodeTimeout(NODE_TIMEOUT)
                .longestLease(LONGEST)
                .defaults(LockOptions.defaults().lease(LONGEST));
    }

    LockClient client() {
        return open(builder().connect());
    }

    /** A client that reaches every node through its proxy. */
    LockClient proxied() {
        return open(own(proxies.stream().map(FaultProxy::uri).toList()).connect());
    }

    /** A client whose votes can be counted. */
    Counted counted() {
        QuorumBackend backend = builder().backend(TimeSource.system());
        return new Counted(open(LockEngine.start(backend, LockOptions.defaults().lease(LONGEST))), backend.counters());
    }

    record Counted(LockClient client, Counters counters) {}

    /** On how many nodes a lock is held, dead ones left out. */
    int holdersOf(String name) {
        int holders = 0;
        for (RedisServer server : servers) {
            if (server.isAlive() && isHeldOn(server, name)) {
                holders++;
            }
        }
        return holders;
    }

    boolean isHeldOn(RedisServer server, String name) {
        String hold = (String) server.command("HGET", key(name), "hold");
        return hold != null && hold.contains(" ") && (Long) server.command("PTTL", key(name)) > 10_000;
    }

    /** Where a node has the record of a lock. */
    String key(String name) {
        return prefix + ":lock:{" + name + "}";
    }

    static ConditionFactory soon(String what) {
        return PATIENCE.soon(what);
    }

    /** Fails as soon as a condition that must hold does not. */
    static void always(String what, Duration time, Callable<Boolean> holds) {
        PATIENCE.always(what, time, holds);
    }

    static <T> T get(CompletionStage<T> stage) {
        return PATIENCE.get(stage);
    }

    /** Whether a try fails, for any reason. */
    static boolean isNotGranted(LockClient client, String name) {
        try {
            return client.lock(name).tryAcquire().isEmpty();
        } catch (LockException shutOrSlow) {
            return true;
        }
    }

    /** Asks until there is a lease. */
    static Lease take(LockClient client, String name) {
        return soon("lease of " + name)
                .ignoreExceptions()
                .until(() -> client.lock(name).tryAcquire(), Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void close() throws Exception {
        opened.close();
    }
}
