package io.holdfast.torture;

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

    /** The longest lease in use. Where there are replicas, one that outlives a failover. */
    Duration longestLease() {
        return isReplicated() ? Duration.ofSeconds(6) : Subject.LONGEST_LEASE;
    }

    boolean isReplicated() {
        return this == SENTINEL || this == CLUSTER;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
