package io.holdfast.testing.zookeeper;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server on which everything passes but what watches would tell. */
public final class WatchFilter implements AutoCloseable {
    /** The number under which servers send what nobody has just asked for. */
    private static final int NOTIFICATION = -1;

    private final ServerSocket listener;
    private final ZooKeeperServer server;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger dropped = new AtomicInteger();

    private WatchFilter(ZooKeeperServer server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.add(listener);
        start(this::accept);
    }

    public static WatchFilter before(ZooKeeperServer server) {
        return new WatchFilter(server);
    }

    /** For a connect string. */
    public String address() {
        return Ports.HOST + ":" + listener.getLocalPort();
    }

    /** How many events never arrived. */
    public int dropped() {
        return dropped.get();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // by one side or by close()
                    }
                },
                "watch-filter");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket target = new Socket(server.host(), server.port());
            open.add(client);
            open.add(target);
            start(() -> {
                try (client;
                        target) {
                    client.getInputStream().transferTo(target.getOutputStream());
                }
            });
            start(() -> {
                try (client;
                        target) {
                    filter(target, client);
                }
            });
        }
    }

    /** Each packet begins with its length, and each but the first goes on with a number. */
    private void filter(Socket from, Socket to) throws IOException {
        DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream());
        while (true) {
            byte[] packet = new byte[in.readInt()];
            in.readFully(packet);
            if (ByteBuffer.wrap(packet).getInt() == NOTIFICATION) {
                dropped.incrementAndGet();
            } else {
                out.write(ByteBuffer.allocate(Integer.BYTES + packet.length)
                        .putInt(packet.length)
                        .put(packet)
                        .array());
            }
        }
    }

    @Override
    public void close() {
        for (Closeable each : open) {
            try {
                each.close();
            } catch (IOException closed) {
                // by the other side
            }
        }
    }
}
