package io.holdfast.testing.redis;

import io.holdfast.testing.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients and a server and breaks the wire.
 *
 * <p>It sees whole requests and replies, so that a fault hits one of them and not half of one. All controls work at
 * once, on the connections there are and on those to come, and may be combined; {@link #heal} takes all of them back.
 *
 * <p>As on a real wire, nothing is ever missing in the middle of a stream: where a request or reply has been swallowed,
 * the connection stays open and stays dumb in that direction until the client closes it or {@link #heal} resets it. A
 * connection on which nothing was lost outlives the fault.
 *
 * <p>Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final String host;
    private volatile int port;
    private final boolean bytes;
    private final @Nullable SSLContext tls;
    private final Faults faults = new Faults();
    private final AtomicLong accepted = new AtomicLong();
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    /** Accepted while half open: nobody reads what they say. */
    private final Set<Socket> unheard = ConcurrentHashMap.newKeySet();

    private FaultProxy(String host, int port, boolean bytes, @Nullable SSLContext tls) {
        this.host = host;
        this.port = port;
        this.bytes = bytes;
        this.tls = tls;
        this.listener = listen();
        Threads.start("fault-proxy-" + listener.getLocalPort(), this::accept);
    }

    public static FaultProxy to(RedisServer server) {
        return to(server.host(), server.port());
    }

    public static FaultProxy to(String host, int port) {
        return new FaultProxy(host, port, false, null);
    }

    /**
     * Before a server of any other protocol. It sees no requests, only bytes, so that faults hit what comes at once;
     * requests of a kind and copies of requests are not for it.
     */
    public static FaultProxy ofBytes(String host, int port) {
        return new FaultProxy(host, port, true, null);
    }

    /** Speaks TLS to its clients and plain text to the server. */
    public static FaultProxy tls(SSLContext context, RedisServer server) {
        return tls(context, server.host(), server.port());
    }

    public static FaultProxy tls(SSLContext context, String host, int port) {
        return new FaultProxy(host, port, false, context);
    }

    static ServerSocket listen() {
        for (int attempt = 1; ; attempt++) {
            try {
                return new ServerSocket(Ports.free(), 0, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                if (attempt == 10) {
                    throw new UncheckedIOException("No port to listen on", e);
                }
            }
        }
    }

    public String host() {
        return Ports.HOST;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Where clients find the proxy, {@code redis://} or {@code rediss://}. */
    public String uri() {
        return (tls == null ? "redis://" : "rediss://") + host() + ":" + port();
    }

    /** Whoever connects from now on reaches another server of the same host. Connections that are open stay. */
    public void redirect(int otherPort) {
        port = otherPort;
    }

    /** Each request reaches the server that much later. */
    public void delayRequests(Duration delay) {
        faults.delayRequests(delay);
    }

    /** Each reply reaches the client that much later. */
    public void delayReplies(Duration delay) {
        faults.delayReplies(delay);
    }

    /** The server executes the next requests, whose replies never come; their connections stay open, and dumb. */
    public void dropReplies(int count) {
        dropReplies(count, request -> true);
    }

    /** The same, for the next requests of a kind. */
    public void dropReplies(int count, Predicate<List<String>> requests) {
        faults.drop(count, requests, false);
    }

    /** The server executes the next requests of a kind; instead of the reply the client sees the connection end. */
    public void closeInsteadOfReply(int count, Predicate<List<String>> requests) {
        faults.drop(count, requests, true);
    }

    /** No request reaches the server any more; clients do not notice. */
    public void cutRequests() {
        faults.cutRequests();
    }

    /** No reply or message reaches a client any more; requests are executed. */
    public void cutReplies() {
        faults.cutReplies();
    }

    /** Nothing passes either way, and nobody is told: connections stay open, new ones are accepted and ignored. */
    public void halfOpen() {
        faults.halfOpen();
    }

    /** New connections are closed as soon as they are taken; those that exist go on. */
    public void refuse() {
        faults.refuse();
    }

    /** Ends all present connections with RST; new ones are welcome. */
    public void reset() {
        List.copyOf(connections).forEach(ProxyConnection::reset);
        closeUnheard();
    }

    /** Requests of a kind wait at the proxy, and whatever follows them on the same connection waits behind them. */
    public void holdRequests(Predicate<List<String>> requests) {
        faults.hold(requests);
    }

    /** All requests wait at the proxy for a time from now, and then go on together. */
    public void holdRequests(Duration time) {
        holdRequests(request -> true);
        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS).execute(this::releaseHeld);
    }

    /** The held requests go on to the server, also those whose clients have gone; no more are held. */
    public void releaseHeld() {
        faults.release();
    }

    /** Requests of a kind are passed on and remembered, to reach the server once more with {@link #replayCaptured}. */
    public void duplicateRequests(Predicate<List<String>> requests) {
        faults.capture(requests);
    }

    /** Sends what was remembered, after a delay and on a connection of its own. Completes with the server's replies. */
    public CompletableFuture<List<@Nullable Object>> replayCaptured(Duration delay) {
        List<byte[]> requests = faults.takeCaptures();
        Executor later = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
        return CompletableFuture.supplyAsync(() -> replay(requests), later);
    }

    private List<@Nullable Object> replay(List<byte[]> requests) {
        List<@Nullable Object> replies = new ArrayList<>();
        try (RedisConsole console = RedisConsole.connect(host, port)) {
            for (byte[] request : requests) {
                try {
                    replies.add(console.exchange(request));
                } catch (RedisConsoleException e) {
                    replies.add(new RespError(String.valueOf(e.getMessage())));
                }
            }
        }
        return replies;
    }

    /** Takes all faults back, lets held requests go, and resets the connections that have lost something. */
    public void heal() {
        faults.heal();
        connections.stream().filter(ProxyConnection::isSpoilt).toList().forEach(ProxyConnection::reset);
        closeUnheard();
    }

    /** Connections taken so far, those refused included. */
    public long accepted() {
        return accepted.get();
    }

    public int openConnections() {
        return connections.size() + unheard.size();
    }

    /** Requests seen so far. */
    public long requests() {
        return faults.requests.get();
    }

    /** Replies and messages seen so far. */
    public long replies() {
        return faults.replies.get();
    }

    public long swallowedRequests() {
        return faults.swallowedRequests.get();
    }

    public long swallowedReplies() {
        return faults.swallowedReplies.get();
    }

    /** Requests that are held now. */
    public int held() {
        return faults.holding();
    }

    /** Requests that were held, now or before. */
    public long everHeld() {
        return faults.heldRequests.get();
    }

    /** Requests that wait for {@link #replayCaptured}. */
    public int captured() {
        return faults.captures();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                welcome(listener.accept());
            } catch (IOException e) {
                // Closed, or a client that went away at once.
            }
        }
    }

    private void welcome(Socket client) throws IOException {
        accepted.incrementAndGet();
        if (faults.isRefusing()) {
            client.close();
        } else if (faults.isHalfOpen()) {
            unheard.add(client);
        } else {
            connect(client);
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(host, port));
            Socket clear = tls == null ? client : secured(tls, client);
            ProxyConnection connection = new ProxyConnection(faults, bytes, client, server, connections::remove);
            connections.add(connection);
            connection.start(clear);
        } catch (IOException e) {
            Closing.quietly(client);
            Closing.quietly(server);
            throw e;
        }
    }

    private static Socket secured(SSLContext tls, Socket client) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(client, Ports.HOST, client.getPort(), true);
        socket.setUseClientMode(false);
        return socket;
    }

    private void closeUnheard() {
        for (Socket socket : List.copyOf(unheard)) {
            unheard.remove(socket);
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // Closed already.
            }
            Closing.quietly(socket);
        }
    }

    @Override
    public void close() {
        Closing.quietly(listener);
        faults.heal();
        reset();
    }
}
