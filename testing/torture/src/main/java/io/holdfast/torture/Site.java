package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisServerBuilder;
import io.holdfast.testing.redis.RedisVersion;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The servers of a round. */
abstract class Site implements AutoCloseable {
    /** With which all keys of the workers begin. */
    static final String PREFIX = "torture";

    private final ClockShim clock;

    Site(ClockShim clock) {
        this.clock = clock;
    }

    static Site start(RoundSettings settings) {
        if (settings.mode() == Mode.QUORUM) {
            return new QuorumSite(
                    settings.version(),
                    settings.nodes(),
                    settings.sabotage() != Sabotage.NO_GUARD,
                    Rng.of(settings.seed(), 3));
        }
        if (settings.mode() == Mode.JDBC) {
            return JdbcSite.start(settings.number());
        }
        if (settings.mode() == Mode.ZOOKEEPER) {
            return ZooKeeperSite.start();
        }
        return start(settings.mode(), settings.version(), settings.safety());
    }

    private static Site start(Mode mode, RedisVersion version, Safety safety) {
        ClockShim clock = new ClockShim();
        Site site = switch (mode) {
            case SINGLE -> new SingleSite(clock, version);
            case SENTINEL -> new SentinelSite(clock, version, safety);
            case CLUSTER -> new ClusterSite(clock, version, safety);
            case QUORUM, JDBC, ZOOKEEPER -> throw new IllegalArgumentException(mode + " has more settings");
        };
        if (safety == Safety.STRICT) {
            Patience.insist(RedisLocks.builder(site.url())
                            .prefix(PREFIX)
                            .safety(safety)
                            .longestLease(mode.longestLease(safety))
                            .startEmpty()::connect)
                    .close();
        }
        return site;
    }

    /**
     * How every server runs. The file is written before the reply is sent and left to the system to flush: a kill loses
     * nothing of it. (Flushed every second, the write itself may wait for the flush before it.)
     */
    static RedisServerBuilder configured(RedisServerBuilder server, ClockShim clock) {
        server.appendFsync("no").config("user", Worker.USER, "on", ">" + Worker.PASSWORD, "~*", "&*", "+@all");
        return ClockShim.isSupported() ? server.clock(clock) : server;
    }

    /** A master that is cut off from its replicas must notice. */
    static RedisServerBuilder guarded(RedisServerBuilder server, Safety safety) {
        return safety == Safety.STRICT ? server.config("min-replicas-to-write", "1") : server;
    }

    /** Of all servers that keep locks. */
    final ClockShim clock() {
        return clock;
    }

    /** What a client is given. */
    abstract String url();

    /** All servers that keep locks or copies of them. */
    abstract List<RedisServer> servers();

    /** Those that know the master: clients ask them, too. */
    List<RedisServer> sentinels() {
        return List.of();
    }

    /** Where clients reach what is no Redis. */
    List<Integer> otherPorts() {
        return List.of();
    }

    /** What has no end though it must have one, asked again and again while all goes on; empty if nobody looked. */
    Optional<List<String>> endless() {
        return Optional.empty();
    }

    /** What clients that are gone have left behind. */
    List<String> leftBehind() {
        return List.of();
    }

    /** The port by which others know a server, and which clients are told. */
    int announcedPort(RedisServer server) {
        return server.port();
    }

    /** All that are masters now. */
    abstract List<RedisServer> masters();

    /** The master that has this key. */
    RedisServer masterOf(String key) {
        return masters().get(0);
    }

    final RedisServer masterOf(Subject subject) {
        return masterOf(Nemesis.key(subject));
    }

    /** Waits until all is as it should be. */
    abstract void awaitHealthy();

    // ---- what needs replicas, and is not done to sites that have none

    /** Has a replica take over though nothing is wrong. */
    void failOver(Rng rng) {
        throw impossible("failover");
    }

    /** Keeps a master's writes from its replicas for a while, kills it, and has a replica take over. */
    void loseWrites(Rng rng) {
        throw impossible("failover");
    }

    /**
     * Parts a master from all servers and Sentinels, and has a replica take over. Both live; which one a client can
     * reach depends on its side.
     */
    void part(RedisServer master, boolean silently, Rng rng) {
        throw impossible("partition");
    }

    /** Takes {@link #part} back. */
    void rejoin() {
        throw impossible("partition");
    }

    /** Will tell whether another server has taken over from this master, which may be silent by then. */
    BooleanSupplier replacementOf(RedisServer master) {
        throw impossible("failover");
    }

    static boolean isMaster(RedisServer server) {
        return "master".equals(server.info("replication").get("role"));
    }

    static UnsupportedOperationException impossible(String what) {
        return new UnsupportedOperationException("no " + what + " here");
    }

    /** Cuts the replicas off: whenever one is back, its connection is closed again. */
    static void starveReplicas(RedisServer master, long millis) {
        long endNanos = System.nanoTime() + millis * 1_000_000;
        do {
            master.clientKill("replica");
            Threads.sleep(10);
        } while (System.nanoTime() - endNanos < 0);
    }

    @Override
    public abstract void close();
}
