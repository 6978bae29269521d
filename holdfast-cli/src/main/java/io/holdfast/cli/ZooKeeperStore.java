package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.zookeeper.ZooKeeperLocksBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nodes of a ZooKeeper. */
record ZooKeeperStore(String url, ZooKeeperLocksBuilder builder) implements Store {
    /** The shortest that the library takes; every server gives it. */
    private static final Duration SHORTEST = Duration.ofSeconds(12);

    private static final Duration LONGEST = Duration.ofHours(1);

    /** The store for a command that holds nothing. */
    static ZooKeeperStore looking(String url, ZooKeeperLocksBuilder builder) {
        return new ZooKeeperStore(url, builder.session(SHORTEST));
    }

    /**
     * For a command that holds a lock: a session as long as the lease needs, because only its end frees what a machine
     * that crashed has held.
     *
     * @param lease null for whatever the session carries that servers give by default
     */
    static ZooKeeperStore holding(String url, ZooKeeperLocksBuilder builder, @Nullable Duration lease) {
        Duration session = lease == null ? ZooKeeperLocksBuilder.DEFAULT_SESSION : SHORTEST;
        while (lease != null && session.compareTo(LONGEST) < 0 && !carries(builder.session(session), lease)) {
            session = session.plusSeconds(1);
        }
        return new ZooKeeperStore(url, builder.session(session));
    }

    private static boolean carries(ZooKeeperLocksBuilder builder, Duration lease) {
        return builder.leaseLimit().filter(limit -> limit.compareTo(lease) < 0).isEmpty();
    }

    @Override
    public LockClient connect() {
        return builder.connect();
    }

    @Override
    public Optional<Duration> leaseLimit() {
        return builder.leaseLimit();
    }

    /** Examines as an application would that says nothing about its session. */
    @Override
    public List<Finding> examine() {
        return builder.session(ZooKeeperLocksBuilder.DEFAULT_SESSION).examine();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(URL_VARIABLE, url);
    }
}
