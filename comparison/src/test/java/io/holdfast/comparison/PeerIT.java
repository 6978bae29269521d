package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every library does what the workloads ask of it, within one client and between two. */
@Tag("integration")
class PeerIT {
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Long enough for a trip to the store, which would let in a thread that does not wait. */
    private static final long A_TRIP_MILLIS = 150;

    private static final long PATIENCE_SECONDS = 10;

    private static final Map<Library, List<Peer>> PEERS = new EnumMap<>(Library.class);

    private static RedisServer redis;
    private static ZooKeeperStore zooKeeper;
    private static Store database;

    @BeforeAll
    static void open() throws Exception {
        redis = RedisServer.start(RedisVersion.V7_0);
        zooKeeper = new ZooKeeperStore();
        database = Databases.H2.start();
        for (Library library : Library.values()) {
            String store = library.usesDatabase()
                    ? database.address()
                    : library.usesZooKeeper() ? zooKeeper.address() : redis.uri();
            PEERS.put(library, List.of(library.open(store, LEASE), library.open(store, LEASE)));
        }
    }

    @AfterAll
    static void close() {
        PEERS.values().forEach(pair -> pair.forEach(Peer::close));
        PEERS.clear();
        zooKeeper.close();
        database.close();
        redis.close();
    }

    static Stream<Library> waiting() {
        return offering(Feature.WAITING);
    }

    static Stream<Library> reentry() {
        return offering(Feature.REENTRY);
    }

    static Stream<Library> readWrite() {
        return offering(Feature.READ_WRITE);
    }

    static Stream<Library> semaphore() {
        return offering(Feature.SEMAPHORE);
    }

    private static Stream<Library> offering(Feature feature) {
        return Arrays.stream(Library.values()).filter(library -> library.offers(feature));
    }

    @ParameterizedTest
    @EnumSource
    void version_ofEveryLibrary_looksLikeOne(Library library) {
        assertThat(library.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(library.setup()).endsWith(".");
    }

    @ParameterizedTest
    @EnumSource
    void enter_afterExit_entersAgain(Library library) throws Exception {
        Peer.Section mine = mine(library).mutex("free");
        Peer.Section theirs = theirs(library).mutex("free");
        for (int i = 0; i < 3; i++) {
            mine.enter();
            mine.exit();
            theirs.enter();
            theirs.exit();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SHEDLOCK")
    void enter_taken_failsWhereNobodyWaits(Library library) throws Exception {
        Peer.Section mine = mine(library).mutex("taken");
        mine.enter();
        assertThatThrownBy(theirs(library).mutex("taken")::enter).isInstanceOf(IllegalStateException.class);
        mine.exit();
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void enter_taken_waits(Library library) throws Exception {
        assertWaits(mine(library).mutex("one"), mine(library).mutex("one"));
        assertWaits(mine(library).mutex("two"), theirs(library).mutex("two"));
    }

    @ParameterizedTest
    @MethodSource("reentry")
    void reentrant_inTheThreadThatHasIt_entersAndKeepsOthersOut(Library library) throws Exception {
        Peer.Section outer = mine(library).reentrant("deep");
        Peer.Section inner = mine(library).reentrant("deep");
        outer.enter();
        inner.enter();
        inner.exit();
        try (Visitor visitor = new Visitor(theirs(library).reentrant("deep"))) {
            visitor.assertOutside();
            outer.exit();
            visitor.assertInside();
        }
    }

    @ParameterizedTest
    @MethodSource("readWrite")
    void readLock_besideReaders_enters_besideAWriter_waits(Library library) throws Exception {
        Peer.Section reader = mine(library).readLock("book");
        reader.enter();
        try (Visitor second = new Visitor(theirs(library).readLock("book"))) {
            second.assertInside();
        }
        reader.exit();
        assertWaits(mine(library).readLock("book"), theirs(library).writeLock("book"));
        assertWaits(mine(library).writeLock("book"), theirs(library).readLock("book"));
    }

    @ParameterizedTest
    @MethodSource("semaphore")
    void permit_allTaken_waits(Library library) throws Exception {
        Peer.Section first = mine(library).permit("room", 2);
        first.enter();
        assertWaits(mine(library).permit("room", 2), theirs(library).permit("room", 2));
        first.exit();
    }

    private static Peer mine(Library library) {
        return PEERS.get(library).get(0);
    }

    private static Peer theirs(Library library) {
        return PEERS.get(library).get(1);
    }

    /** The second comes in when the first is out, and not before. */
    private static void assertWaits(Peer.Section first, Peer.Section second) throws Exception {
        first.enter();
        try (Visitor visitor = new Visitor(second)) {
            visitor.assertOutside();
            first.exit();
            visitor.assertInside();
        }
    }

    /** A thread that goes in, and out when it is closed. */
    private static final class Visitor implements AutoCloseable {
        private final CountDownLatch asks = new CountDownLatch(1);
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch leave = new CountDownLatch(1);
        private final FutureTask<Void> visit;

        Visitor(Peer.Section section) {
            visit = new FutureTask<>(() -> {
                asks.countDown();
                section.enter();
                inside.countDown();
                leave.await();
                section.exit();
                return null;
            });
            Thread thread = new Thread(visit, "visitor");
            thread.setDaemon(true);
            thread.start();
        }

        void assertOutside() throws InterruptedException {
            asks.await();
            assertThat(inside.await(A_TRIP_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
        }

        void assertInside() throws InterruptedException {
            assertThat(inside.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() throws Exception {
            leave.countDown();
            visit.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }
}
