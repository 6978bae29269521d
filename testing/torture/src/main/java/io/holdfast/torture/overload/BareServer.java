package io.holdfast.torture.overload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The control: what this machine can do with so many callers and no lock. Each caller hands a {@code PING} to one of a
 * few carriers and sleeps until its reply is there; a carrier takes up to 64 of them to the server and back. What is
 * left of the best rate with many callers is the work of the operating system and the JVM.
 */
final class BareServer implements AutoCloseable {
    private static final int CARRIERS = 32;
    private static final int MOST_TOGETHER = 64;
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int REPLY = "+PONG\r\n".length();

    /** One call on its way. */
    private static final class Call {
        final Thread caller = Thread.currentThread();
        volatile boolean answered;
    }

    private final ConcurrentLinkedQueue<Call> line = new ConcurrentLinkedQueue<>();
    private final List<Thread> carriers = new ArrayList<>();
    private final ConcurrentLinkedQueue<Thread> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    BareServer(String host, int port) {
        for (int i = 0; i < CARRIERS; i++) {
            Thread carrier = new Thread(() -> carry(host, port), "carrier-" + i);
            carrier.setDaemon(true);
            carrier.start();
            carriers.add(carrier);
        }
    }

    /** One trip to the server and back. */
    void call() {
        Call call = new Call();
        line.add(call);
        Thread carrier = idle.poll();
        if (carrier != null) {
            LockSupport.unpark(carrier);
        }
        while (!call.answered && !closed) {
            LockSupport.park(this);
        }
    }

    private void carry(String host, int port) {
        try (Socket socket = new Socket(host, port)) {
            socket.setTcpNoDelay(true);
            List<Call> together = new ArrayList<>();
            while (!closed) {
                for (Call next = line.poll();
                        next != null;
                        next = together.size() < MOST_TOGETHER ? line.poll() : null) {
                    together.add(next);
                }
                if (together.isEmpty()) {
                    rest();
                } else {
                    exchange(socket.getOutputStream(), socket.getInputStream(), together);
                    together.clear();
                }
            }
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    private void rest() {
        idle.add(Thread.currentThread());
        if (line.isEmpty()) {
            LockSupport.parkNanos(this, 10_000_000);
        }
        idle.remove(Thread.currentThread());
    }

    private static void exchange(OutputStream out, InputStream in, List<Call> together) throws IOException {
        byte[] request = new byte[PING.length * together.size()];
        for (int i = 0; i < together.size(); i++) {
            System.arraycopy(PING, 0, request, i * PING.length, PING.length);
        }
        out.write(request);
        for (Call call : together) {
            if (in.readNBytes(REPLY).length < REPLY) {
                throw new IOException("the server is gone");
            }
            call.answered = true;
            LockSupport.unpark(call.caller);
        }
    }

    @Override
    public void close() {
        closed = true;
        carriers.forEach(LockSupport::unpark);
    }
}
