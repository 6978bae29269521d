package io.holdfast.cli;

import io.holdfast.DurationText;
import io.holdfast.LockClient;
import io.holdfast.Safety;
import io.holdfast.cli.embedded.SharedRedis;
import io.holdfast.cli.screen.Screen;
import io.holdfast.jdbc.JdbcLocksBuilder;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.quorum.QuorumLocksBuilder;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.zookeeper.ZooKeeperLocksBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the locks are, and how that store is used. The same options in every command that needs one. */
final class StoreOptions {
    private static final String NAME = "holdfast-cli";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "redis://[user:password@]host[:port][/db], redis-sentinel://host,host/master,"
                    + " redis-cluster://host,host; or three, five … redis URLs with commas between them for a quorum;"
                    + " rediss for TLS. Or a database, as its driver wants it:"
                    + " jdbc:postgresql://host/database, jdbc:mariadb:…, jdbc:mysql:…, jdbc:h2:…"
                    + " Or ZooKeeper: zk://[user:password@]host[:port],host[:port][/path]."
                    + " Default: HOLDFAST_URL.")
    @Nullable
    String url;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "holdfast",
            description = "How the keys, or the names of the tables, begin, or the node below which ZooKeeper has them;"
                    + " as in the applications. Default: ${DEFAULT-VALUE}.")
    String prefix = "holdfast";

    @Option(
            names = "--safety",
            paramLabel = "HOW",
            description = "What happens when the server may have forgotten locks: ${COMPLETION-CANDIDATES}. As in the"
                    + " applications. Default: STRICT for Sentinel, else AVAILABLE.")
    @Nullable
    Safety safety;

    @Option(
            names = "--longest-lease",
            paramLabel = "TIME",
            description = "With STRICT and a quorum: as in the applications. Default: 1m.")
    @Nullable
    Duration longestLease;

    @Mixin
    private final JdbcOptions jdbc = new JdbcOptions();

    /** The URLs that were given, none if none was. */
    List<String> givenUrls() {
        String given = url != null ? url : System.getenv(Store.URL_VARIABLE);
        if (given == null) {
            return List.of();
        }
        if (given.isBlank()) { // as a variable that is not set would give it: not to be taken for "any server will do"
            throw new IllegalArgumentException((url != null ? "--url" : Store.URL_VARIABLE)
                    + " is empty, expected a URL; leave it out if none is meant");
        }
        return StoreUrls.split(given);
    }

    /** The store to use: what is named, else what is there. */
    Store store(Screen screen) {
        List<String> given = givenUrls();
        if (!given.isEmpty() && ZooKeeperUrl.isMeant(given.get(0))) {
            return ZooKeeperStore.looking(given.get(0), zooKeeper(given.get(0)));
        }
        return store(screen, Duration.ZERO, null);
    }

    /**
     * The store in which something is to be held.
     *
     * @param patience how long to wait for a server that is away
     * @param lease null for as long as usual
     */
    Store store(Screen screen, Duration patience, @Nullable Duration lease) {
        List<String> given = givenUrls();
        List<String> urls = given.isEmpty() ? List.of(UnnamedStore.url(screen, patience)) : given;
        String first = urls.get(0);
        if (ZooKeeperUrl.isMeant(first)) {
            return ZooKeeperStore.holding(first, zooKeeper(first), lease);
        }
        if (JdbcOptions.isMeant(first)) {
            return new JdbcStore(database(first), jdbc.environment(first));
        }
        jdbc.refuseOtherStores();
        return urls.size() == 1
                ? new RedisStore(
                        first, safety == null ? server(first) : server(first).safety(safety))
                : new QuorumStore(
                        urls, quorum(urls), urls.stream().map(this::server).toList());
    }

    /** What a store cannot guard is refused before it is asked. */
    static void checkLease(Duration lease, Store store) {
        Optional<Duration> limit = store.leaseLimit();
        if (limit.isPresent() && lease.compareTo(limit.get()) > 0) {
            throw new IllegalArgumentException("--lease is " + DurationText.of(lease) + ", more than the "
                    + DurationText.of(limit.get())
                    + (store instanceof ZooKeeperStore
                            ? " that the longest session of ZooKeeper carries; ask for less"
                            : " of --longest-lease; ask for less, or raise that in every client"));
        }
    }

    /** A client, to be closed. */
    LockClient connect(Screen screen) {
        return store(screen).connect();
    }

    /** A database. */
    JdbcLocksBuilder database(String one) {
        JdbcLocksBuilder builder = jdbc.builder(one).table(prefix).clientName(NAME);
        if (safety != null) {
            builder.safety(safety);
        }
        return longestLease == null ? builder : builder.longestLease(longestLease);
    }

    /** A ZooKeeper, its session left as it is. */
    ZooKeeperLocksBuilder zooKeeper(String one) {
        jdbc.refuseOtherStores();
        if (safety != null || longestLease != null) {
            throw new IllegalArgumentException((safety != null ? "--safety" : "--longest-lease")
                    + " is for stores that may forget, and ZooKeeper keeps everything on its disks; leave it out");
        }
        return ZooKeeperUrl.parse(one).builder().root("/" + prefix).clientName(NAME);
    }

    /** One server, its safety left as it is. */
    RedisLocksBuilder server(String one) {
        RedisLocksBuilder builder = node(SharedRedis.builder(one));
        return longestLease == null ? builder : builder.longestLease(longestLease);
    }

    QuorumLocksBuilder quorum(List<String> urls) {
        QuorumLocksBuilder builder = QuorumLocks.builder(urls).eachNode(this::node);
        return longestLease == null ? builder : builder.longestLease(longestLease);
    }

    private RedisLocksBuilder node(RedisLocksBuilder builder) {
        return builder.prefix(prefix).clientName(NAME);
    }
}
