package io.holdfast.testing.redis;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A client's connection and the one to the server behind it.
 *
 * <p>TCP loses no bytes out of the middle of a stream. So once one request or reply has been swallowed, all that follow
 * on that lane are swallowed as well, and the connection is spoilt: healing the proxy resets it. Otherwise a client
 * would take the reply to one request for that to another, which no network can bring about.
 */
final class ProxyConnection {
    private static final Set<String> REPLICATION = Set.of("PSYNC", "SYNC");

    private final Faults faults;
    private final Socket client;
    private final Socket server;
    private final Consumer<ProxyConnection> onClose;
    /** Requests that were passed on and not answered yet. Guarded by itself. */
    private final Queue<List<String>> unanswered = new ArrayDeque<>();

    private final AtomicInteger lanesEnded = new AtomicInteger();
    private final boolean bytes;
    private volatile boolean raw;
    private volatile boolean requestsLost;
    private volatile boolean repliesLost;

    /**
     * @param bytes whether the protocol is unknown; then whatever comes at once counts as a request or reply
     * @param client the socket that was accepted, below any TLS
     */
    ProxyConnection(Faults faults, boolean bytes, Socket client, Socket server, Consumer<ProxyConnection> onClose) {
        this.faults = faults;
        this.bytes = bytes;
        this.raw = bytes;
        this.client = client;
        this.server = server;
        this.onClose = onClose;
    }

    /**
     * @param clear the client's socket above any TLS
     */
    void start(Socket clear) throws IOException {
        String name = "fault-proxy-" + client.getPort();
        new ProxyLane(
                        clear.getInputStream(),
                        server.getOutputStream(),
                        () -> raw,
                        faults::requestDelay,
                        new RequestGate())
                .start(name + "-requests");
        new ProxyLane(server.getInputStream(), clear.getOutputStream(), () -> raw, faults::replyDelay, new ReplyGate())
                .start(name + "-replies");
    }

    boolean isSpoilt() {
        return requestsLost || repliesLost;
    }

    /** Ends both connections with RST. */
    void reset() {
        for (Socket socket : List.of(client, server)) {
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // Closed already.
            }
        }
        close();
    }

    private void close() {
        Closing.quietly(client);
        Closing.quietly(server);
        onClose.accept(this);
    }

    private boolean bothEnded() {
        return lanesEnded.incrementAndGet() == 2;
    }

    /** The server learns of it only after all requests, and may still answer them. */
    private void hangUpOnServer() {
        try {
            server.shutdownOutput();
        } catch (IOException e) {
            close();
        }
    }

    private final class RequestGate implements ProxyLane.Gate {
        @Override
        public void arrived(RespFrame frame) {
            if (!frame.isRaw() && REPLICATION.contains(name(frame))) {
                raw = true;
            }
        }

        @Override
        public boolean mayPass(RespFrame frame) throws InterruptedException {
            faults.requests.incrementAndGet();
            if (!requestsLost && (bytes || !frame.isRaw())) {
                faults.pass(frame);
            }
            if (faults.isRequestsCut()) {
                requestsLost = true;
            }
            if (requestsLost) {
                faults.swallowedRequests.incrementAndGet();
                return false;
            }
            // What a subscription is answered with looks like messages, and there may be several.
            if (!frame.isRaw() && !name(frame).endsWith("SUBSCRIBE")) {
                synchronized (unanswered) {
                    unanswered.add(frame.words());
                }
            }
            return true;
        }

        private String name(RespFrame frame) {
            return frame.words().get(0).toUpperCase(Locale.ROOT);
        }

        @Override
        public void ended() {
            if (faults.isRequestsCut()) {
                requestsLost = true;
            }
            if (bothEnded()) {
                close();
            } else if (!requestsLost) {
                hangUpOnServer();
            }
        }
    }

    private final class ReplyGate implements ProxyLane.Gate {
        @Override
        public boolean mayPass(RespFrame frame) {
            faults.replies.incrementAndGet();
            boolean drop = (bytes || !frame.isRaw()) && !frame.isPush() && faults.takeDrop(request());
            if (drop || faults.isRepliesCut()) {
                repliesLost = true;
            }
            if (!repliesLost) {
                return true;
            }
            faults.swallowedReplies.incrementAndGet();
            if (drop && faults.isClosingAfterDrop()) {
                close();
            }
            return false;
        }

        private List<String> request() {
            synchronized (unanswered) {
                List<String> request = unanswered.poll();
                return request == null ? List.of() : request;
            }
        }

        @Override
        public void ended() {
            if (faults.isRepliesCut()) {
                repliesLost = true;
            }
            if (bothEnded() || !repliesLost) {
                close();
            }
        }
    }
}
