package io.holdfast.testing.zookeeper;

import io.holdfast.testing.process.Ports;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * Stands before a ZooKeeper server, passes everything on, and remembers which session each connection was given: who
 * knows its number and its password can end it. It knows answers from what watches tell, so that it can lose the ones
 * or the others.
 */
public final class SessionTap implements AutoCloseable {
    private static final int LONGEST_GREETING = 1024;
    private static final int SESSION_MILLIS = 4_000;
    private static final int PATIENCE_MILLIS = 10_000;

    /** The number under which servers send what nobody has just asked for. */
    private static final int NOTIFICATION = -1;

    /** What the server tells a client that comes: its version and the timeout come before these. */
    public static final class Session {
        private final long id;
        private final byte[] password;

        private Session(long id, byte[] password) {
            this.id = id;
            this.password = password;
        }

        /**
         * Ends it as its owner would, who hears of it.
         *
         * @return whether that could be done
         */
        public boolean end(String servers) {
            CountDownLatch connected = new CountDownLatch(1);
            try {
                ZooKeeper thief = new ZooKeeper(
                        servers,
                        SESSION_MILLIS,
                        event -> {
                            if (event.getState() == KeeperState.SyncConnected) {
                                connected.countDown();
                            }
                        },
                        id,
                        password);
                boolean taken = connected.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                thief.close(PATIENCE_MILLIS);
                return taken;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private final ServerSocket listener;
    private final int server;
    private final Map<Socket, Session> sessions = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger admitted = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicInteger closeAt = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger passing = new AtomicInteger(Integer.MAX_VALUE);
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean deaf;

    private SessionTap(int server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    public static SessionTap before(ZooKeeperServer server) {
        return new SessionTap(server.port());
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** For a connect string. */
    public String address() {
        return Ports.HOST + ":" + port();
    }

    /** Those whose connections are open. */
    public List<Session> sessions() {
        return List.copyOf(sessions.values());
    }

    /** So many connections are let in from now on, and those that come then are closed. */
    public void admit(int connections) {
        admitted.set(connections);
    }

    /** The connection ends in the place of an answer: the first from now on, the second, and so on. */
    public void closeAtAnswer(int which) {
        closeAt.set(which);
    }

    /** How many connections have ended so. */
    public int closed() {
        return closed.get();
    }

    /** So many answers come from now on, and the next ones after {@link #letGo}. */
    public void holdAfter(int answers) {
        gate = new CountDownLatch(1);
        passing.set(answers);
    }

    public void letGo() {
        passing.set(Integer.MAX_VALUE);
        gate.countDown();
    }

    /** From now on no event of a watch arrives, or every one does again. */
    public void dropEvents(boolean drop) {
        deaf = drop;
    }

    /** How many requests have been answered; pings are none. */
    public int answers() {
        return answers.get();
    }

    /** How many events of watches have arrived. */
    public int told() {
        return told.get();
    }

    /** How many events of watches never arrived. */
    public int dropped() {
        return dropped.get();
    }

    /** How much servers have said so far. */
    public long bytes() {
        return bytes.get();
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
                "session-tap");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            if (admitted.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                open.add(client);
                start(() -> serve(client));
            } else {
                client.close();
            }
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket there = new Socket(InetAddress.getLoopbackAddress(), server)) {
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
            start(() -> {
                try (client;
                        there) {
                    client.getInputStream().transferTo(there.getOutputStream());
                }
            });
            downwards(client, there);
        } finally {
            sessions.remove(client);
            open.remove(client);
        }
    }

    /** Each packet begins with its length, and each but the first goes on with a number. */
    private void downwards(Socket client, Socket there) throws IOException {
        DataInputStream in = new DataInputStream(there.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        int length = in.readInt();
        if (length <= 0 || length > LONGEST_GREETING) {
            throw new IOException("no greeting of ZooKeeper");
        }
        byte[] greeting = in.readNBytes(length);
        sessions.put(client, session(greeting));
        pass(greeting, out);
        while (true) {
            byte[] packet = new byte[in.readInt()];
            in.readFully(packet);
            bytes.addAndGet(packet.length);
            int number = ByteBuffer.wrap(packet).getInt();
            boolean event = number == NOTIFICATION;
            answers.addAndGet(number > 0 ? 1 : 0);
            if (number > 0 && !isAnswerToPass()) {
                return;
            }
            if (event && deaf) {
                dropped.incrementAndGet();
            } else {
                pass(packet, out);
                told.addAndGet(event ? 1 : 0);
            }
        }
    }

    /** Answers have positive numbers; pings and events have others. */
    private boolean isAnswerToPass() throws IOException {
        if (closeAt.get() > 0 && closeAt.decrementAndGet() == 0) {
            closed.incrementAndGet();
            return false;
        }
        if (passing.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
        return true;
    }

    private static Session session(byte[] greeting) throws IOException {
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(greeting));
        fields.skipNBytes(2L * Integer.BYTES);
        long id = fields.readLong();
        byte[] password = new byte[fields.readInt()];
        fields.readFully(password);
        return new Session(id, password);
    }

    /** In one piece: two would each be a packet on the wire. */
    private static void pass(byte[] packet, DataOutputStream out) throws IOException {
        byte[] whole = new byte[Integer.BYTES + packet.length];
        ByteBuffer.wrap(whole).putInt(packet.length).put(packet);
        out.write(whole);
        out.flush();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
