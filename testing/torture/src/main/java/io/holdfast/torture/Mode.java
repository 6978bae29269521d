package io.holdfast.torture;

import java.util.Locale;

/** How the servers are set up. */
enum Mode {
    /** One server. */
    SINGLE,
    /** A master, two replicas, three Sentinels. */
    SENTINEL,
    /** Three masters with a replica each. */
    CLUSTER,
    /** Some servers that know nothing of each other, and clients that need a majority of them. */
    QUORUM;

    boolean isReplicated() {
        return this == SENTINEL || this == CLUSTER;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
