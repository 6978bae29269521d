package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a client waits for its store in a cycle that nobody disturbs: what is sent together is one round trip. */
@Tag("integration")
class RoundTripsIT {
    private static final int CYCLES = 100;

    @ParameterizedTest
    @CsvSource({"HOLDFAST_ZOOKEEPER, 2", "HOLDFAST_ZOOKEEPER_FIFO, 2", "CURATOR, 3"})
    void cycle_uncontended_roundTrips(Library library, int expected) throws Exception {
        try (ZooKeeperStore store = new ZooKeeperStore();
                Turns turns = new Turns(store.address());
                Peer peer = library.open(turns.address(), Duration.ofSeconds(30))) {
            Peer.Section lock = peer.mutex("a");
            cycle(lock);
            List<Integer> trips = new ArrayList<>();
            for (int i = 0; i < CYCLES; i++) {
                int before = turns.count();
                cycle(lock);
                trips.add(turns.count() - before);
            }
            Collections.sort(trips);
            assertThat(trips.get(CYCLES / 2)).as("of most cycles of %s", trips).isEqualTo(expected);
        }
    }

    /** One statement to take and one to give back. What is done in the background comes every few seconds. */
    @ParameterizedTest
    @EnumSource(
            value = Databases.class,
            names = {"POSTGRESQL", "MARIADB"})
    void cycle_onADatabase_isTwoRoundTrips(Databases database) throws Exception {
        try (Store store = database.start();
                Peer peer = Library.HOLDFAST_JDBC.open(store.address(), Duration.ofSeconds(30))) {
            Peer.Section lock = peer.mutex("a");
            cycle(lock);
            Long trips = store.commandsDuring(() -> {
                for (int i = 0; i < CYCLES; i++) {
                    cycle(lock);
                }
                return true;
            });
            assertThat(trips).isBetween(2L * CYCLES, 2L * CYCLES + CYCLES / 5);
        }
    }

    private static void cycle(Peer.Section lock) throws Exception {
        lock.enter();
        lock.exit();
    }

    /** Passes on what one client says, and counts how often it speaks again after it has heard something. */
    private static final class Turns implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final AtomicBoolean heard = new AtomicBoolean(true);
        private final AtomicInteger count = new AtomicInteger();
        private final String server;

        Turns(String server) throws IOException {
            this.server = server;
            start(this::serve);
        }

        String address() {
            return "127.0.0.1:" + listener.getLocalPort();
        }

        int count() {
            return count.get();
        }

        private void serve() {
            try {
                int colon = server.lastIndexOf(':');
                Socket client = listener.accept();
                Socket there = new Socket(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
                client.setTcpNoDelay(true);
                there.setTcpNoDelay(true);
                start(() -> pass(there, client, () -> heard.set(true)));
                pass(client, there, () -> {
                    if (heard.getAndSet(false)) {
                        count.incrementAndGet();
                    }
                });
            } catch (IOException closed) {
                // the test is over
            }
        }

        private static void pass(Socket from, Socket to, Runnable chunk) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[8192];
                for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                    chunk.run();
                    out.write(bytes, 0, length);
                }
            } catch (IOException closed) {
                // the other side ends as well
            }
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work, "turns");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
