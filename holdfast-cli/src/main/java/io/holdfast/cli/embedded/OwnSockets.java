package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that are closed before anything is sent unless the server's user accepted the connection. When an embedded
 * server has ended, anybody on this machine may listen on its port; they get no password, and nobody is served by them.
 *
 * <p>The system says in {@code /proc/net/tcp} who has the other end of a connection. The end that belongs to this very
 * connection is looked for, so it does not matter who listens a moment before or after. One that nobody has accepted
 * yet belongs to nobody; it is waited for.
 */
final class OwnSockets extends SocketFactory {
    private static final Path TABLE = Path.of("/proc/net/tcp");
    private static final Path TABLE_6 = Path.of("/proc/net/tcp6");

    /** 127.0.0.1 in either order of bytes, and as a listener for both kinds of addresses has it. */
    private static final Set<String> LOOPBACK =
            Set.of("0100007F", "7F000001", "0000000000000000FFFF00000100007F", "00000000000000000000FFFF7F000001");

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int OWNER = 7;
    private static final int INODE = 9;
    private static final int PATIENCE_MILLIS = 2_000;
    private static final long PAUSE_MILLIS = 2;

    private final long owner;

    /**
     * Sockets to servers of one user.
     *
     * @param owner the number of that user
     */
    OwnSockets(long owner) {
        this.owner = owner;
    }

    /** Whether this system says who has the other end of a connection. Where it does not, nothing is checked. */
    static boolean canTell() {
        return Files.isReadable(TABLE);
    }

    /** The number of this user, 0 where the system does not tell. */
    static long self() {
        try {
            return Integer.toUnsignedLong((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException unknown) {
            return 0;
        }
    }

    @Override
    public Socket createSocket() {
        return new OwnSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        Socket socket = createSocket();
        socket.connect(new InetSocketAddress(host, port));
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return createSocket(InetAddress.getByName(host), port, local, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        Socket socket = createSocket();
        socket.bind(new InetSocketAddress(local, localPort));
        socket.connect(new InetSocketAddress(host, port));
        return socket;
    }

    private final class OwnSocket extends Socket {
        @Override
        public void connect(@Nullable SocketAddress server, int timeoutMillis) throws IOException {
            super.connect(server, timeoutMillis);
            if (!canTell()) {
                return;
            }
            try {
                checkOwner(this, timeoutMillis == 0 ? PATIENCE_MILLIS : timeoutMillis);
            } catch (IOException refused) {
                close();
                throw refused;
            }
        }
    }

    private void checkOwner(Socket socket, int patienceMillis) throws IOException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        Optional<Long> found = ownerOfServer(socket);
        while (found.isEmpty()) {
            if (System.nanoTime() - untilNanos >= 0) {
                throw new SocketTimeoutException("nobody accepts the connection");
            }
            pause();
            found = ownerOfServer(socket);
        }
        if (found.get() != owner) {
            throw new ConnectException("what listens there belongs to another user of this machine (uid " + found.get()
                    + ") and was told nothing; the embedded Redis that was there has ended");
        }
    }

    /** Who accepted it, if anybody did. */
    private static Optional<Long> ownerOfServer(Socket socket) throws IOException {
        Optional<Long> owner = ownerOfServer(socket, TABLE);
        return owner.isPresent() || !Files.isReadable(TABLE_6) ? owner : ownerOfServer(socket, TABLE_6);
    }

    private static Optional<Long> ownerOfServer(Socket socket, Path table) throws IOException {
        String server = port(socket.getPort());
        String client = port(socket.getLocalPort());
        try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
            return lines.map(line -> line.strip().split("\\s+", -1))
                    .filter(field -> field.length > INODE && is(field[LOCAL], server) && is(field[REMOTE], client))
                    .filter(field -> !field[INODE].equals("0"))
                    .map(field -> Long.parseLong(field[OWNER]))
                    .findFirst();
        }
    }

    private static String port(int port) {
        return String.format(Locale.ROOT, ":%04X", port);
    }

    private static boolean is(String address, String port) {
        return address.endsWith(port) && LOOPBACK.contains(address.substring(0, address.length() - port.length()));
    }

    private static void pause() throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the connection was checked");
        }
    }
}
