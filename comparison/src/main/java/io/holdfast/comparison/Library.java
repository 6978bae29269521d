package io.holdfast.comparison;

import io.holdfast.Fairness;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** What is compared. */
enum Library {
    HOLDFAST(
            "holdfast",
            "RedisLocks as it comes: leases that a watchdog renews, fairness THROUGHPUT, Jedis, at most 32 connections."),
    HOLDFAST_FIFO("holdfast", "As holdfast, with fairness FIFO: waiting claims are served in the order they came."),
    REDISSON(
            "redisson",
            "RLock without a lease time, so that its watchdog renews it; RReadWriteLock; RPermitExpirableSemaphore, whose permits"
                    + " nobody renews; the default pool of 64 connections."),
    REDISSON_FAIR("redisson", "As redisson, with the fair lock."),
    REDISSON_FENCED(
            "redisson",
            "As redisson, with RFencedLock and lockAndGetToken(): the one that has fencing tokens, as every Holdfast lease has."),
    SPRING_PUBSUB(
            "spring",
            "Spring Integration's RedisLockRegistry of type PUB_SUB_LOCK over Lettuce, with a scheduler that renews."),
    SPRING_SPIN("spring", "As spring-pubsub, of type SPIN_LOCK, the registry's default: a waiter asks every 100 ms."),
    SHEDLOCK(
            "shedlock",
            "RedisLockProvider for Spring Data over Lettuce. Neither waits nor renews: lockAtMostFor is the lease."),
    CURATOR(
            "curator",
            "InterProcessMutex, InterProcessReadWriteLock and InterProcessSemaphoreV2 on one ZooKeeper server, which writes to disk"
                    + " before it answers; the session timeout is the lease."),
    HOLDFAST_JDBC(
            "holdfast", "JdbcLocks of a URL, as it comes: up to sixteen connections for callers, and its own besides."),
    HOLDFAST_JDBC_FIFO("holdfast", "As holdfast-jdbc, with fairness FIFO."),
    SPRING_JDBC(
            "spring-jdbc",
            "Spring Integration's JdbcLockRegistry with DefaultLockRepository over a Hikari pool of 20, with a scheduler that"
                    + " renews; a waiter asks every 100 ms."),
    SHEDLOCK_JDBC(
            "shedlock",
            "JdbcTemplateLockProvider with the database's clock over a Hikari pool of 20. Neither waits nor renews."),
    HOLDFAST_ZOOKEEPER(
            "holdfast",
            "ZooKeeperLocks as it comes, on one ZooKeeper server, which writes to disk before it answers; a session of 40 s."),
    HOLDFAST_ZOOKEEPER_FIFO("holdfast", "As holdfast-zookeeper, with fairness FIFO."),
    /** No lock at all: as many trips to the server as Holdfast makes, with an empty script. */
    LIMIT("limit", "No lock: an empty script is called at each end, with the Jedis and the pool that Holdfast uses.");

    private final String family;
    private final String setup;

    Library(String family, String setup) {
        this.family = family;
        this.setup = setup;
    }

    /** The name on the command line, in tables and in files. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Library::label).toList();
    }

    static Optional<Library> labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** The version that this was built with; that of Jedis for {@link #LIMIT}. */
    String version() {
        return Versions.of(family);
    }

    /** How it is set up, in a sentence for the reader. */
    String setup() {
        return setup;
    }

    boolean offers(Feature feature) {
        return features().contains(feature);
    }

    private Set<Feature> features() {
        return switch (this) {
            case HOLDFAST,
                    HOLDFAST_FIFO,
                    HOLDFAST_JDBC,
                    HOLDFAST_JDBC_FIFO,
                    HOLDFAST_ZOOKEEPER,
                    HOLDFAST_ZOOKEEPER_FIFO,
                    REDISSON,
                    CURATOR -> Set.of(Feature.values());
            case REDISSON_FAIR, REDISSON_FENCED, SPRING_PUBSUB, SPRING_SPIN, SPRING_JDBC ->
                Set.of(Feature.WAITING, Feature.REENTRY, Feature.RENEWAL);
            case SHEDLOCK, SHEDLOCK_JDBC, LIMIT -> Set.of();
        };
    }

    /** Whether its store is ZooKeeper. */
    boolean usesZooKeeper() {
        return this == CURATOR || this == HOLDFAST_ZOOKEEPER || this == HOLDFAST_ZOOKEEPER_FIFO;
    }

    /** Whether its store is a database. */
    boolean usesDatabase() {
        return switch (this) {
            case HOLDFAST_JDBC, HOLDFAST_JDBC_FIFO, SPRING_JDBC, SHEDLOCK_JDBC -> true;
            default -> false;
        };
    }

    /** Those that one would pick who has a Redis, and Curator, for which one would have to have another store. */
    static Set<Library> onRedis() {
        Set<Library> all = those(each -> !each.usesDatabase() && !each.usesZooKeeper());
        all.add(CURATOR);
        return all;
    }

    static Set<Library> onDatabase() {
        return those(Library::usesDatabase);
    }

    static Set<Library> onZooKeeper() {
        return those(Library::usesZooKeeper);
    }

    private static Set<Library> those(Predicate<Library> which) {
        Set<Library> those = EnumSet.allOf(Library.class);
        those.removeIf(which.negate());
        return those;
    }

    /**
     * Connects.
     *
     * @param store {@code redis://host:port}, for ZooKeeper {@code host:port}; for a database a JDBC URL
     * @param lease how long a lock outlives a holder that died
     */
    Peer open(String store, Duration lease) throws Exception {
        return switch (this) {
            case HOLDFAST, HOLDFAST_JDBC, HOLDFAST_ZOOKEEPER -> new HoldfastPeer(store, lease, Fairness.THROUGHPUT);
            case HOLDFAST_FIFO, HOLDFAST_JDBC_FIFO, HOLDFAST_ZOOKEEPER_FIFO ->
                new HoldfastPeer(store, lease, Fairness.FIFO);
            case REDISSON -> new RedissonPeer(store, lease, RedissonPeer.Kind.PLAIN);
            case REDISSON_FAIR -> new RedissonPeer(store, lease, RedissonPeer.Kind.FAIR);
            case REDISSON_FENCED -> new RedissonPeer(store, lease, RedissonPeer.Kind.FENCED);
            case SPRING_PUBSUB -> new SpringPeer(store, lease, RedisLockType.PUB_SUB_LOCK);
            case SPRING_SPIN -> new SpringPeer(store, lease, RedisLockType.SPIN_LOCK);
            case SHEDLOCK -> new ShedLockPeer(store, lease);
            case CURATOR -> new CuratorPeer(store, lease);
            case SPRING_JDBC -> new SpringJdbcPeer(store, lease);
            case SHEDLOCK_JDBC -> new ShedLockPeer(store, lease);
            case LIMIT -> new LimitPeer(store);
        };
    }
}
