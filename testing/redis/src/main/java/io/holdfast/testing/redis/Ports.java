package io.holdfast.testing.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports to listen on.
 *
 * <p>They lie below the range that systems give to outgoing connections: a server that is down for a while must find
 * its port free when it comes back, and a client that knocks at it meanwhile must not be connected to itself.
 */
final class Ports {
    static final String HOST = "127.0.0.1";

    /** From a cluster node's port to the port of its bus. */
    static final int BUS_OFFSET = 10_000;

    private static final int LOWEST = 11_000;
    private static final int HIGHEST = 20_000;
    private static final int ATTEMPTS = 1_000;

    private Ports() {}

    /** A port that is free now, and whose bus port is free too. */
    static int free() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port) && isFree(port + BUS_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
