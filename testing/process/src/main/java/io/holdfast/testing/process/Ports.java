package io.holdfast.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports to listen on. Each is given out once: no other server of this JVM, and no other JVM of this user, gets it
 * before this JVM has ended. So nobody else is there when a server comes up some time later, or comes back.
 *
 * <p>They lie below the range that systems give to outgoing connections: a client that knocks at a server that is down
 * must not be connected to itself.
 *
 * <p><b>How.</b> Each port is a byte of one file, and its owner has locked it. The system lets go of the locks of a
 * process that has ended, in whatever way.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 */
public final class Ports {
    /** Where servers listen. */
    public static final String HOST = "127.0.0.1";

    private static final int LOWEST = 11_000;
    private static final int HIGHEST = 31_000;
    private static final int ATTEMPTS = 10_000;

    /** Never closed: the locks would go with it. */
    private static final FileChannel OWNERS = open();

    /** Kept, since the table of a JVM's locks forgets those that nobody refers to. Guarded by this class. */
    private static final List<FileLock> MINE = new ArrayList<>();

    private Ports() {}

    /**
     * Returns a port that nobody else is given.
     *
     * @return the port
     */
    public static int free() {
        return freeWith(0);
    }

    /**
     * Returns a port that nobody else is given, and neither is the one at a distance from it.
     *
     * @param distance from the port to the other one, or zero
     * @return the lower port
     */
    public static synchronized int freeWith(int distance) {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - distance);
            if (take(port) && (distance == 0 || take(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean take(int port) {
        try {
            FileLock lock = OWNERS.tryLock(port, 1, false);
            if (lock == null) {
                return false;
            }
            MINE.add(lock);
            return isFree(port);
        } catch (OverlappingFileLockException mine) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not take port " + port, e);
        }
    }

    /** Programs that do not ask here have ports too. */
    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static FileChannel open() {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "holdfast-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not open " + file, e);
        }
    }
}
