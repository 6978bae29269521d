package io.holdfast.spring.boot;

import io.holdfast.Fairness;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.spring.Joining;
import io.holdfast.spring.LockedSettings;
import io.holdfast.spring.LockedSettings.SelfCalls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdfast.*}.
 *
 * <p><b>Threads.</b> Immutable.
 *
 * @param enabled Whether Holdfast is configured at all.
 * @param store Where the locks live. With auto, the one store that the application has a module and a connection for.
 * @param start Whether the application starts although Redis cannot be reached. A server that answers and cannot be
 *     used always ends the start.
 * @param lease How long a lock outlives a process that died. 30 seconds if not set.
 * @param maxHold After what time a lock is lost although its holder lives. Never if not set.
 * @param fairness Who is next when several wait. Throughput if not set.
 * @param redis Locks on Redis.
 * @param quorum Locks on a majority of independent Redis servers.
 * @param jdbc Locks in the database of the application.
 * @param zookeeper Locks on ZooKeeper.
 * @param locked Methods that are annotated with Locked.
 * @param metrics Meters.
 * @param observations Observations.
 * @since 0.1
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("auto") Store store,
        @DefaultValue("when-possible") Start start,
        @Nullable Duration lease,
        @Nullable Duration maxHold,
        @Nullable Fairness fairness,
        @DefaultValue Redis redis,
        @DefaultValue Quorum quorum,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Zookeeper zookeeper,
        @DefaultValue Locked locked,
        @DefaultValue Metrics metrics,
        @DefaultValue Observations observations) {

    /** Where locks live. */
    public enum Store {
        /** In the one store that the application has a module and a connection for. */
        AUTO,
        /** On one Redis, behind Sentinels, or in a cluster. */
        REDIS,
        /** On a majority of independent Redis servers. */
        QUORUM,
        /** In tables of the application's database. */
        JDBC,
        /** On ZooKeeper. */
        ZOOKEEPER,
        /** In this process alone: for tests, and for programs that run once. */
        MEMORY
    }

    /** What happens if the store is down when the application starts. */
    public enum Start {
        /** The application starts, is told by a warning, and is DOWN until the store is there. */
        WHEN_POSSIBLE,
        /** The application does not start. */
        NOW
    }

    /**
     * Locks on Redis.
     *
     * @param url The server, for instance redis://localhost:6379, redis-sentinel://a,b,c/mymaster or
     *     redis-cluster://a,b,c. The connection of spring.data.redis if not set.
     * @param prefix How all keys and channels begin.
     * @param clientName A name for people, shown by CLIENT LIST. The name of the application if not set.
     * @param requestTimeout How long one request may take. That of spring.data.redis.timeout, or 2 seconds, if not set.
     * @param connectTimeout How long a new connection may take. That of spring.data.redis.connect-timeout, or 2
     *     seconds, if not set.
     * @param connections How many connections to one server callers use at most.
     * @param safety What happens when a server may have forgotten who holds what. Strict for Sentinel, available
     *     otherwise, if not set.
     * @param longestLease The longest lease that anybody may ask for with strict safety; the same in every process.
     * @param replicas How many replicas must have a lock before it is handed out. None if not set.
     * @param replicasTimeout How long to wait for the replicas.
     * @param acceptEviction Whether to use a server that may drop keys when its memory is full.
     * @param ssl How connections are encrypted.
     */
    public record Redis(
            @Nullable String url,
            @DefaultValue("holdfast") String prefix,
            @Nullable String clientName,
            @Nullable Duration requestTimeout,
            @Nullable Duration connectTimeout,
            @DefaultValue("32") int connections,
            @Nullable Safety safety,
            @DefaultValue("1m") Duration longestLease,
            @Nullable Integer replicas,
            @DefaultValue("1s") Duration replicasTimeout,
            @DefaultValue("false") boolean acceptEviction,
            @DefaultValue Ssl ssl) {}

    /**
     * How connections are encrypted.
     *
     * @param bundle The name of the SSL bundle, for a rediss URL.
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * Locks on a majority of independent Redis servers.
     *
     * @param urls One redis:// URL for each server, in the same order in every process; three, five or seven.
     * @param nodeTimeout How long one server may take to answer. A quarter of a second if not set.
     */
    public record Quorum(
            @DefaultValue List<String> urls, @Nullable Duration nodeTimeout) {}

    /**
     * Locks in the database of the application.
     *
     * @param dataSource The name of the DataSource bean, if there are several and none is primary.
     * @param table How the names of the tables begin.
     * @param createTables Whether to create the tables that do not exist, and that of the fence.
     * @param connections How many connections of the pool may be kept for callers.
     * @param safety What happens after a replica took over that may lack the last commits.
     */
    public record Jdbc(
            @Nullable String dataSource,
            @DefaultValue("holdfast") String table,
            @DefaultValue("false") boolean createTables,
            @DefaultValue("4") int connections,
            @DefaultValue("available") Safety safety) {}

    /**
     * Locks on ZooKeeper.
     *
     * @param connect The servers and perhaps a path: a:2181,b:2181,c:2181/app.
     * @param root Below which node everything is.
     * @param session How long ZooKeeper keeps what a process holds that does not answer any more.
     */
    public record Zookeeper(
            @Nullable String connect,
            @DefaultValue("/holdfast") String root,
            @DefaultValue("40s") Duration session) {}

    /**
     * Methods that are annotated with Locked.
     *
     * @param waitFor How long a call waits for its lock if the annotation does not say; 0 is one try, forever has no
     *     end.
     * @param order Where the lock stands among the advice of a method; smaller is further outside.
     * @param joining What happens in a transaction that began before the lock.
     * @param selfCalls What happens if a class calls its own locked methods, which takes no lock.
     */
    public record Locked(
            @DefaultValue("10s") String waitFor,
            @DefaultValue("2147483547") int order,
            @DefaultValue("auto") Joining joining,
            @DefaultValue("warn") SelfCalls selfCalls) {}

    /**
     * Meters.
     *
     * @param enabled Whether locks are measured, if there is a meter registry.
     * @param maxGroups How many values the tags "lock" and "lock.group" may have; later ones are counted as "other".
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("100") int maxGroups) {}

    /**
     * Observations.
     *
     * @param enabled Whether each locked call is observed, if there is an observation registry.
     */
    public record Observations(@DefaultValue("true") boolean enabled) {}

    /** What counts for every locked method that does not say otherwise. */
    LockedSettings lockedSettings() {
        return LockedSettings.defaults()
                .waitFor(locked.waitFor())
                .order(locked.order())
                .joining(locked.joining())
                .selfCalls(locked.selfCalls());
    }

    /** How locks are held for which nothing else is said. */
    LockOptions lockOptions() {
        LockOptions options = LockOptions.defaults();
        if (lease != null) {
            options = options.lease(lease);
        }
        if (maxHold != null) {
            options = options.maxHold(maxHold);
        }
        return fairness == null ? options : options.fairness(fairness);
    }
}
