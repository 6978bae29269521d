package io.holdfast.torture;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the locks protect: for each subject a counter that is read, added to and written back by its holders.
 *
 * <p>One counter is fenced: a smaller token than was seen before is refused, when it enters and when it writes, and so
 * is anybody else with the same token: two masters that do not know of each other may give one twice. Its value must be
 * the number of writes that were accepted. Its twin takes every write, and shows what would be lost without.
 */
final class FencedStore implements AutoCloseable {
    static final int ENTER = 1;
    static final int WRITE = 2;

    /** The two counters of one subject. Guarded by itself. */
    static final class Cell {
        private long fence = Long.MIN_VALUE;
        private int holder;
        private long value;
        private long accepted;
        private long refused;
        private long twin;
        private long twinWrites;

        /** Advances the fence before anything is read. */
        synchronized boolean enter(long token, int who) {
            if (token > fence) {
                fence = token;
                holder = who;
            }
            boolean welcome = isHeldBy(token, who);
            refused += welcome ? 0 : 1;
            return welcome;
        }

        private boolean isHeldBy(long token, int who) {
            return token == fence && who == holder;
        }

        synchronized long value() {
            return value;
        }

        synchronized long twin() {
            return twin;
        }

        synchronized boolean write(long token, int who, long newValue, long newTwin) {
            twin = newTwin;
            twinWrites++;
            if (!isHeldBy(token, who)) {
                refused++;
                return false;
            }
            value = newValue;
            accepted++;
            return true;
        }
    }

    private final ServerSocket listener;
    private final Map<Subject, Cell> cells = new EnumMap<>(Subject.class);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    FencedStore() {
        for (Subject subject : Subject.values()) {
            cells.put(subject, new Cell());
        }
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.start("fenced-store", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    Cell cell(Subject subject) {
        Cell cell = cells.get(subject);
        if (cell == null) {
            throw new IllegalArgumentException("nothing is kept for " + subject);
        }
        return cell;
    }

    /** A fenced counter that is not the number of its writes has lost some. */
    List<Violation> check() {
        List<Violation> found = new ArrayList<>();
        cells.forEach((subject, cell) -> {
            synchronized (cell) {
                if (cell.value != cell.accepted) {
                    found.add(new Violation(
                            Rule.FENCED_COUNTER,
                            System.nanoTime(),
                            "the fenced counter of " + subject + " is " + cell.value + " after " + cell.accepted
                                    + " writes"));
                }
            }
        });
        return found;
    }

    long accepted() {
        return sum(cell -> cell.accepted);
    }

    long refused() {
        return sum(cell -> cell.refused);
    }

    /** How many additions the twins have lost. */
    long lostWithoutFence() {
        return sum(cell -> cell.twinWrites - cell.twin);
    }

    private long sum(java.util.function.ToLongFunction<Cell> number) {
        return cells.values().stream()
                .mapToLong(cell -> {
                    synchronized (cell) {
                        return number.applyAsLong(cell);
                    }
                })
                .sum();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                Threads.start("fenced-store-" + socket.getPort(), () -> serve(socket));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            while (true) {
                int what = in.read();
                if (what < 0) {
                    return;
                }
                answer(what, socket.getPort(), in, out);
                out.flush();
            }
        } catch (IOException e) {
            // The worker was killed.
        } finally {
            sockets.remove(socket);
        }
    }

    /** Each thread of a worker has a connection of its own, so that tells who it is. */
    private void answer(int what, int who, DataInputStream in, DataOutputStream out) throws IOException {
        Cell cell = cell(Subject.valueOf(in.readUTF()));
        long token = in.readLong();
        if (what == ENTER) {
            out.writeBoolean(cell.enter(token, who));
            out.writeLong(cell.value());
            out.writeLong(cell.twin());
        } else {
            out.writeBoolean(cell.write(token, who, in.readLong(), in.readLong()));
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
