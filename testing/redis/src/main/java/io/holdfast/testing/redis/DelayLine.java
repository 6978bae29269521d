package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A long way to a server: whatever goes in comes out some time later, as much as there is of it. Nothing is looked at,
 * so it is light.
 */
public final class DelayLine implements AutoCloseable {
    private static final byte[] END = new byte[0];

    /** Bytes, and when they arrive. */
    private static final class Chunk {
        private final byte[] bytes;
        private final long dueNanos;

        Chunk(byte[] bytes, long dueNanos) {
            this.bytes = bytes;
            this.dueNanos = dueNanos;
        }
    }

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final long oneWayNanos;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    public DelayLine(String host, int port, Duration roundTrip) {
        this.host = host;
        this.port = port;
        this.oneWayNanos = roundTrip.toNanos() / 2;
        try {
            this.listener = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        start("accept", this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, "delay-line-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(host, port);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                sockets.add(near);
                sockets.add(far);
                carry(near, far);
                carry(far, near);
            } catch (IOException closed) {
                // the listener was closed, or the server is gone: the next one will tell
            }
        }
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Chunk> way = new LinkedBlockingQueue<>();
        start("in", () -> read(from, way));
        start("out", () -> write(to, way));
    }

    private void read(Socket from, BlockingQueue<Chunk> way) {
        byte[] buffer = new byte[64 << 10];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                byte[] bytes = java.util.Arrays.copyOf(buffer, count);
                way.add(new Chunk(bytes, System.nanoTime() + oneWayNanos));
            }
        } catch (IOException broken) {
            // the end all the same
        }
        way.add(new Chunk(END, System.nanoTime()));
    }

    private void write(Socket to, BlockingQueue<Chunk> way) {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Chunk chunk = way.take(); chunk.bytes != END; chunk = way.take()) {
                for (long left = chunk.dueNanos - System.nanoTime();
                        left > 0;
                        left = chunk.dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(chunk.bytes);
            }
        } catch (IOException broken) {
            // both ends notice
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
