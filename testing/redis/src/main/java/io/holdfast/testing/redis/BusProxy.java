package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Stands before the bus of a cluster node, on which the other nodes talk to it. Every message says who sent it, so the
 * talk of one node can be swallowed and that of the others not. Nobody is told: connections stay open. Thread-safe.
 */
final class BusProxy implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;

    /** Where the sender's id stands in a message. */
    private static final int SENDER_AT = 40;

    private static final int SENDER_LENGTH = 40;

    private final int target;
    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile Predicate<String> cut = sender -> false;

    BusProxy(RedisServer node) {
        target = node.port() + ServerPorts.BUS_OFFSET;
        listener = FaultProxy.listen();
        Threads.start("bus-proxy-" + port(), this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on nothing passes between this node and those senders. */
    void cut(Predicate<String> senders) {
        cut = senders;
    }

    /** All passes again; connections on which something was lost are closed. */
    void heal() {
        cut = sender -> false;
        links.stream().filter(link -> link.spoilt).forEach(Link::close);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                welcome(listener.accept());
            } catch (IOException e) {
                // Closed, or a node that went away at once.
            }
        }
    }

    private void welcome(Socket sender) {
        try {
            Link link = new Link(sender, new Socket(InetAddress.getLoopbackAddress(), target));
            links.add(link);
            Threads.start("bus-proxy-" + port() + "-there", link::there);
        } catch (IOException down) {
            Closing.quietly(sender);
        }
    }

    @Override
    public void close() {
        Closing.quietly(listener);
        links.forEach(Link::close);
    }

    /** One connection, which another node has opened. */
    private final class Link {
        private final Socket sender;
        private final Socket node;
        private volatile String name = "";
        private volatile boolean spoilt;

        Link(Socket sender, Socket node) {
            this.sender = sender;
            this.node = node;
        }

        void there() {
            try {
                byte[] head = sender.getInputStream().readNBytes(SENDER_AT + SENDER_LENGTH);
                if (head.length == SENDER_AT + SENDER_LENGTH) {
                    name = new String(head, SENDER_AT, SENDER_LENGTH, StandardCharsets.US_ASCII);
                    Threads.start("bus-proxy-" + port() + "-back", () -> pump(node, sender));
                    pass(head, head.length, node.getOutputStream());
                    pump(sender, node);
                }
            } catch (IOException e) {
                // As below.
            } finally {
                close();
            }
        }

        private void pump(Socket from, Socket to) {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    pass(chunk, n, out);
                }
            } catch (IOException e) {
                // One side has gone.
            } finally {
                close();
            }
        }

        private void pass(byte[] bytes, int length, OutputStream out) throws IOException {
            if (spoilt || cut.test(name)) {
                spoilt = true;
            } else {
                out.write(bytes, 0, length);
            }
        }

        void close() {
            Closing.quietly(sender);
            Closing.quietly(node);
            links.remove(this);
        }
    }
}
