package io.holdfast.torture.overload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Goes the way of the callers ten times a second, from a process without load. How much longer than the distance that
 * takes is the fault of the server, the delay and this machine, and not of the client that is measured.
 */
final class Pings implements AutoCloseable {
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int REPLY = "+PONG\r\n".length();
    private static final long PAUSE_NANOS = 100_000_000;

    private final Socket socket;
    private final long distanceNanos;
    private final AtomicLong latestNanos = new AtomicLong();
    private volatile long sentNanos;
    private volatile boolean waiting;
    private volatile boolean closed;

    Pings(String host, int port, Duration distance) {
        this.distanceNanos = distance.toNanos();
        try {
            socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread thread = new Thread(this::ping, "pings");
        thread.setDaemon(true);
        thread.start();
    }

    private void ping() {
        try {
            while (!closed) {
                sentNanos = System.nanoTime();
                waiting = true;
                socket.getOutputStream().write(PING);
                if (socket.getInputStream().readNBytes(REPLY).length < REPLY) {
                    throw new IOException("the server is gone");
                }
                latestNanos.accumulateAndGet(lateNanos(), Math::max);
                waiting = false;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException end) {
            if (!closed) {
                throw new UncheckedIOException(end);
            }
        }
    }

    private long lateNanos() {
        return System.nanoTime() - sentNanos - distanceNanos;
    }

    void reset() {
        latestNanos.set(0);
    }

    /** By how much the slowest one was late. The one under way counts too, if it is late already. */
    long latestMillis() {
        return Math.max(latestNanos.get(), waiting ? lateNanos() : 0) / 1_000_000;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        socket.close();
    }
}
