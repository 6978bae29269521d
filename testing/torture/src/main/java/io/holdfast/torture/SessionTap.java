package io.holdfast.torture;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a ZooKeeper server, passes everything on, and remembers which session each connection was given: who
 * knows its number and its password can close it.
 */
final class SessionTap implements AutoCloseable {
    private static final int CHUNK = 64 * 1024;
    private static final int LONGEST_GREETING = 1024;

    /** What the server tells a client that comes: its version and the timeout come before these. */
    static final class Session {
        private final long id;
        private final byte[] password;

        private Session(long id, byte[] password) {
            this.id = id;
            this.password = password;
        }

        long id() {
            return id;
        }

        byte[] password() {
            return password;
        }
    }

    private final ServerSocket listener;
    private final int server;
    private final Map<Socket, Session> sessions = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    SessionTap(int server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.start("tap-" + server, this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Those whose connections are open. */
    List<Session> sessions() {
        return List.copyOf(sessions.values());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Threads.start("tap-" + server + "-client", () -> serve(client));
            } catch (IOException closed) {
                // the loop looks whether that is meant
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket there = new Socket(InetAddress.getLoopbackAddress(), server)) {
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
            Threads.start("tap-" + server + "-up", () -> upwards(client, there));
            downwards(client, there);
        } catch (IOException gone) {
            // then the other side goes, too
        } finally {
            sessions.remove(client);
            open.remove(client);
        }
    }

    private static void upwards(Socket client, Socket there) {
        try (client;
                there) {
            pass(client.getInputStream(), there.getOutputStream());
        } catch (IOException gone) {
            // as above
        }
    }

    private void downwards(Socket client, Socket there) throws IOException {
        DataInputStream in = new DataInputStream(there.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        int length = in.readInt();
        if (length <= 0 || length > LONGEST_GREETING) {
            throw new IOException("no greeting of ZooKeeper");
        }
        byte[] greeting = in.readNBytes(length);
        DataInputStream fields = new DataInputStream(new java.io.ByteArrayInputStream(greeting));
        fields.skipNBytes(2L * Integer.BYTES);
        long id = fields.readLong();
        byte[] password = new byte[fields.readInt()];
        fields.readFully(password);
        sessions.put(client, new Session(id, password));
        out.writeInt(length);
        out.write(greeting);
        out.flush();
        pass(in, out);
    }

    private static void pass(InputStream in, OutputStream out) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
            out.write(chunk, 0, length);
            out.flush();
        }
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
