package io.holdfast.testing.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports below the range that systems give to outgoing connections. */
final class Ports {
    static final String HOST = "127.0.0.1";

    private static final int LOWEST = 11_000;
    private static final int HIGHEST = 30_000;

    private Ports() {}

    static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException e) {
                // Somebody else's.
            }
        }
    }
}
