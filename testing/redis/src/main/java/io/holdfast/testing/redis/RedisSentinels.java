package io.holdfast.testing.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A master with replicas, and three sentinels that watch them: two of the three must agree that the master is down,
 * which takes them about a second.
 *
 * <p>Servers and sentinels are plain {@link RedisServer}s: kill, pause and restart them at will. Who is master is asked
 * of the sentinels at each call, never remembered. Thread-safe.
 *
 * <p>{@link #startWithFronts With fronts} a server can be parted from the other servers and from the sentinels while
 * all of them live.
 */
public final class RedisSentinels implements AutoCloseable {
    private static final String MASTER_NAME = "holdfast";
    private static final int SENTINELS = 3;
    private static final String QUORUM = "2";
    private static final String DOWN_AFTER_MILLIS = "1000";
    private static final String FAILOVER_TIMEOUT_MILLIS = "3000";

    private final RedisVersion version;
    private final UnaryOperator<RedisServerBuilder> options;
    private final List<RedisServer> servers = new CopyOnWriteArrayList<>();
    private final List<RedisServer> sentinels = new CopyOnWriteArrayList<>();
    private final Fronts fronts = new Fronts();
    private final boolean fronted;

    private RedisSentinels(RedisVersion version, UnaryOperator<RedisServerBuilder> options, boolean fronted) {
        this.version = version;
        this.options = options;
        this.fronted = fronted;
    }

    /** One master and one replica. */
    public static RedisSentinels start(RedisVersion version) {
        return start(version, 1, server -> server);
    }

    /** One master and that many replicas; every server is made the way the last argument says. */
    public static RedisSentinels start(RedisVersion version, int replicas, UnaryOperator<RedisServerBuilder> options) {
        return start(replicas, new RedisSentinels(version, options, false));
    }

    /** The same, with fronts: servers and sentinels know each other by the addresses of proxies. */
    public static RedisSentinels startWithFronts(
            RedisVersion version, int replicas, UnaryOperator<RedisServerBuilder> options) {
        return start(replicas, new RedisSentinels(version, options, true));
    }

    private static RedisSentinels start(int replicas, RedisSentinels sentinels) {
        try {
            sentinels.form(replicas);
            return sentinels;
        } catch (RuntimeException e) {
            sentinels.close();
            throw e;
        }
    }

    private void form(int replicas) {
        RedisServer master = startServer();
        for (int i = 0; i < replicas; i++) {
            addReplicaOf(master);
        }
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(RedisServer.builder(version)
                    .sentinel()
                    .config(
                            "sentinel",
                            "monitor",
                            MASTER_NAME,
                            master.host(),
                            String.valueOf(announcedPort(master)),
                            QUORUM)
                    .config("sentinel", "down-after-milliseconds", MASTER_NAME, DOWN_AFTER_MILLIS)
                    .config("sentinel", "failover-timeout", MASTER_NAME, FAILOVER_TIMEOUT_MILLIS)
                    .start());
        }
        Await.until(
                "the sentinels know each other and the replicas",
                () -> sentinels.stream()
                        .allMatch(sentinel -> counts(sentinel, "num-other-sentinels", SENTINELS - 1)
                                && counts(sentinel, "num-slaves", replicas)));
    }

    private RedisServer startServer() {
        RedisServer server = options.apply(RedisServer.builder(version)).start();
        servers.add(server);
        if (fronted) {
            fronts.open(server);
        }
        return server;
    }

    /** The port by which the others know this server, and which the sentinels tell clients. */
    public int announcedPort(RedisServer server) {
        return fronts.port(server);
    }

    /**
     * Parts a server from the other servers and from the sentinels, until {@link #rejoin}; clients that use its own
     * address still reach it. With fronts only.
     *
     * @param silently whether connections stay open, and dumb; otherwise they are reset, and new ones refused
     */
    public void isolate(RedisServer server, boolean silently) {
        fronts.isolate(server, silently);
    }

    /** All reach each other again. */
    public void rejoin() {
        fronts.rejoin();
    }

    private static boolean counts(RedisServer sentinel, String field, int count) {
        List<String> words = Replies.strings(sentinel.command("SENTINEL", "MASTER", MASTER_NAME));
        return words.get(words.indexOf(field) + 1).equals(String.valueOf(count));
    }

    private RedisServer addReplicaOf(RedisServer master) {
        RedisServer replica = startServer();
        replica.command("REPLICAOF", master.host(), String.valueOf(announcedPort(master)));
        replica.command("CONFIG", "REWRITE");
        Await.until(replica + " follows " + master, replica::isLinkUp);
        return replica;
    }

    /** One more replica of the present master; the sentinels find it by themselves within ten seconds. */
    public RedisServer addReplica() {
        return addReplicaOf(currentMaster());
    }

    public String masterName() {
        return MASTER_NAME;
    }

    public String uri() {
        return sentinels.stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "/" + MASTER_NAME));
    }

    /** Masters and replicas, first the one that began as master. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /** The servers that are not the present master. */
    public List<RedisServer> replicas() {
        RedisServer master = currentMaster();
        return servers.stream().filter(server -> server != master).toList();
    }

    /** The master that the sentinels name; it may be down. */
    public RedisServer currentMaster() {
        return sentinels.stream()
                .flatMap(sentinel -> named(sentinel).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No sentinel answers"));
    }

    private Optional<RedisServer> named(RedisServer sentinel) {
        if (!sentinel.isAlive()) {
            return Optional.empty();
        }
        List<String> address;
        try {
            address = Replies.strings(sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME));
        } catch (RedisUnreachableException e) {
            return Optional.empty();
        }
        return servers.stream()
                .filter(server -> address.get(1).equals(String.valueOf(announcedPort(server))))
                .findFirst();
    }

    /** Waits until all sentinels that live name the same server and it is a master; returns it. */
    public RedisServer awaitMaster() {
        List<RedisServer> agreed = new ArrayList<>();
        Await.until("the sentinels agree on a master", () -> {
            agreed.clear();
            sentinels.stream()
                    .flatMap(sentinel -> named(sentinel).stream())
                    .distinct()
                    .forEach(agreed::add);
            return agreed.size() == 1 && agreed.get(0).isMaster();
        });
        return agreed.get(0);
    }

    /** Waits until all sentinels that live name another server than this one, and it is a master; returns it. */
    public RedisServer awaitMasterOtherThan(RedisServer former) {
        Await.until("another master than " + former, () -> awaitMaster() != former);
        return currentMaster();
    }

    /**
     * Has the sentinels make a replica the master, though nothing is wrong; returns the new master. One that finds no
     * replica to its liking gives up, and is told again.
     */
    public RedisServer failover() {
        RedisServer former = currentMaster();
        RedisServer sentinel = sentinels.get(0);
        Await.until("another master than " + former, () -> {
            if (named(sentinel).filter(former::equals).isPresent()) {
                sentinel.command("SENTINEL", "FAILOVER", MASTER_NAME);
            }
            return awaitMaster() != former;
        });
        return currentMaster();
    }

    @Override
    public void close() {
        Closing.all(Stream.of(sentinels, servers, List.of(fronts))
                .flatMap(List::stream)
                .toList());
    }
}
