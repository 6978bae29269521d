package io.holdfast.torture;

import io.holdfast.Safety;
import java.time.Duration;
import java.util.Locale;

/** How the servers are set up. */
enum Mode {
    /** One server. */
    SINGLE,
    /** A master, two replicas, three Sentinels. */
    SENTINEL,
    /** Three masters with replicas. */
    CLUSTER,
    /** Some servers that know nothing of each other, and clients that need a majority of them. */
    QUORUM,
    /** One database: PostgreSQL and MariaDB in turns. */
    JDBC,
    /** An ensemble of three ZooKeeper servers. */
    ZOOKEEPER;

    /**
     * The longest lease in use. Where there are replicas, one that outlives a failover: with {@link Safety#STRICT} a
     * hold follows to the new master only if 13 s are left of it.
     */
    Duration longestLease(Safety safety) {
        if (!isReplicated()) {
            return Subject.LONGEST_LEASE;
        }
        return Duration.ofSeconds(safety == Safety.STRICT ? 20 : 6);
    }

    boolean isReplicated() {
        return this == SENTINEL || this == CLUSTER;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
