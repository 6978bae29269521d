package io.holdfast.torture;

import java.util.Locale;

/** How the servers are set up. */
enum Mode {
    /** One server. */
    SINGLE,
    /** A master, two replicas, three Sentinels. */
    SENTINEL,
    /** Three masters with a replica each. */
    CLUSTER;

    boolean isReplicated() {
        return this != SINGLE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
