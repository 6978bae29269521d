package io.holdfast.testing.redis;

import io.holdfast.testing.process.Ports;

/** The ports of a server: its own, and that of its bus if it is a node of a cluster. */
final class ServerPorts {
    /** From a cluster node's port to the port of its bus. */
    static final int BUS_OFFSET = 10_000;

    private ServerPorts() {}

    /** A port that is nobody else's, and whose bus port is nobody else's either. */
    static int free() {
        return Ports.freeWith(BUS_OFFSET);
    }
}
