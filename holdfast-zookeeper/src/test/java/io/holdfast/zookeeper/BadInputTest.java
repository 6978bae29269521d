package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.UnfitClaimException;
import io.holdfast.testing.process.Logged;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is wrong is said in one sentence, with what to do. */
@Tag("integration")
class BadInputTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final BackendListener NOBODY = new BackendListener() {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}
    };
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start(2_000, Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ZooKeeper admin() throws Exception {
        ZooKeeper admin = new ZooKeeper(server.address(), 10_000, event -> {});
        admin.exists("/", false);
        return admin;
    }

    @Test
    void root_slashAtTheEnd_isRefused() {
        for (String root : List.of("/locks/", "locks", "/", "", "/a//b", "/a/../b", "/a b")) {
            assertThatThrownBy(() -> ZooKeeperLocks.builder("a:2181").root(root))
                    .as(root)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("root is '" + root + "'")
                    .hasMessageContaining("none at the end");
        }
    }

    @Test
    void connect_malformed_isRefused() {
        for (String connect : List.of("", "a:2181,", "zk://a:2181", "a:port", "a:2181/app/", "a:2181/./b")) {
            assertThatThrownBy(() -> ZooKeeperLocks.builder(connect))
                    .as(connect)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("connect is '" + connect + "'");
        }
    }

    @Test
    void options_outOfRange_areRefused() {
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder("a:2181");
        assertThatThrownBy(() -> builder.session(Duration.ofSeconds(11))).hasMessageContaining("session is 11s");
        assertThatThrownBy(() -> builder.acl(List.of())).hasMessageContaining("acl is empty");
        assertThatThrownBy(() -> builder.auth(" ", bytes("x"))).hasMessageContaining("scheme is blank");
        assertThatThrownBy(() -> builder.clientName("a\n")).hasMessageContaining("clientName has 2 characters");
        assertThat(builder.leaseLimit()).contains(Duration.ofSeconds(80).dividedBy(3));
    }

    @Test
    void session_longerThanTheServerGives_saysBoth() {
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(server.address()).session(Duration.ofSeconds(60));
        assertThatThrownBy(builder::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("gives a session of 40000 ms, and 60000 ms were asked for")
                .hasMessageContaining("maxSessionTimeout");
        assertFinding(builder, "session", Finding.Level.FAIL);
    }

    @Test
    void lease_longerThanTheSessionCarries_saysBoth() {
        try (LockClient locks = ZooKeeperLocks.connect(server.address())) {
            LockOptions day = LockOptions.defaults().fixedLease(Duration.ofHours(1));
            assertThatThrownBy(() -> locks.lock("long", day).acquire())
                    .hasMessageContaining("1h")
                    .hasMessageContaining("26.66");
        }
    }

    /** Whoever uses the backend without an engine, which asks for no more. */
    @Test
    void claim_longerThanTheSessionCarries_saysBoth() {
        try (BackendClient client = new BackendClient(server)) {
            Resource resource = new Resource(LockKind.LOCK, "longer", 1);
            Claim claim = client.claim(resource, 1, true, Duration.ofSeconds(27));
            assertThatThrownBy(() -> client.ask(claim))
                    .isInstanceOf(UnfitClaimException.class)
                    .hasMessageContaining("27s")
                    .hasMessageContaining("26.66")
                    .hasMessageContaining("40s");
        }
    }

    @Test
    void tokens_moreThanATransactionHas_saysBoth() {
        try (LockBackend backend = ZooKeeperLocks.builder(server.address()).newBackend()) {
            Resource resource = new Resource(LockKind.LOCK, "tokens", 1);
            Claim claim = Claim.builder(new ClaimId("me", 1), resource, Duration.ofSeconds(1))
                    .tokens(257)
                    .build();
            backend.start("me", NOBODY);
            assertThatThrownBy(() -> backend.attempt(claim, Duration.ofSeconds(1)))
                    .hasMessageContaining("257")
                    .hasMessageContaining("256");
        }
    }

    @Test
    void chroot_missing_isCreated() {
        try (LockClient locks = ZooKeeperLocks.connect(server.address() + "/new/app")) {
            assertThat(locks.lock("a").tryAcquire()).isPresent();
        }
    }

    @Test
    void chroot_missingAndForbidden_saysWhoMustCreateIt() throws Exception {
        ZooKeeper admin = admin();
        List<ACL> readOnly = Arrays.asList(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        admin.create("/forbidden", new byte[0], readOnly, CreateMode.PERSISTENT);
        admin.close();
        assertThatThrownBy(() -> ZooKeeperLocks.connect(server.address() + "/forbidden/app"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("/forbidden/app")
                .hasMessageContaining("must create it");
    }

    @Test
    void rights_missing_namesThePathAndThePermissions() {
        ZooKeeperLocksBuilder owner =
                ZooKeeperLocks.builder(server.address()).root("/owned").auth("digest", bytes("owner:secret"));
        owner.connect().close();
        assertFinding(owner, "rights", Finding.Level.OK);

        ZooKeeperLocksBuilder stranger =
                ZooKeeperLocks.builder(server.address()).root("/owned").auth("digest", bytes("stranger:secret"));
        assertThatThrownBy(stranger::connect)
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        refused -> assertThat(refused.isLasting()).isTrue())
                .hasMessageContaining("/owned")
                .hasMessageContaining("permissions read, write, create and delete");
        assertFinding(stranger, "rights", Finding.Level.FAIL);
    }

    @Test
    void acl_given_isThatOfNewNodes() throws Exception {
        List<ACL> acl = List.of(
                new ACL(ZooDefs.Perms.ALL, ZooDefs.Ids.AUTH_IDS),
                new ACL(ZooDefs.Perms.READ, new Id("world", "anyone")));
        try (LockClient locks = ZooKeeperLocks.builder(server.address())
                .root("/mixed")
                .auth("digest", bytes("owner:secret"))
                .acl(acl)
                .connect()) {
            locks.lock("a").acquire();
            ZooKeeper other = admin();
            assertThat(other.getChildren("/mixed/lock:a", false)).hasSize(1);
            assertThatThrownBy(() -> other.delete("/mixed/.clients", -1)).hasMessageContaining("NoAuth");
            other.close();
        }
    }

    @Test
    void names_thatAreNotOurs_areIgnoredAndToldOnce() throws Exception {
        try (Logged logged = new Logged("io.holdfast.zookeeper");
                LockClient locks = ZooKeeperLocks.builder(server.address())
                        .root("/foreign")
                        .connect()) {
            locks.lock("a").acquire().close();
            ZooKeeper other = admin();
            for (String path :
                    List.of("/foreign/lock:a/intruder-0000000000", "/foreign/lock:%zz", "/foreign/nothing")) {
                other.create(path, bytes("?"), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            other.close();
            assertThat(locks.lock("a").tryAcquire()).isPresent();
            assertThat(locks.inspector().list("").toList())
                    .singleElement()
                    .satisfies(status -> assertThat(status.holders()).hasSize(1));
            assertThat(logged.of(Level.WARNING, "'intruder-0000000000', which is no claim"))
                    .hasSize(1);
        }
    }

    @Test
    void server_unreachable_saysWhatToCheck() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        ZooKeeperLocksBuilder builder =
                ZooKeeperLocks.builder("127.0.0.1:" + port).requestTimeout(SHORT);
        assertThatThrownBy(builder::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("could not connect to ZooKeeper at 127.0.0.1:" + port)
                .hasMessageContaining("check the addresses")
                .hasMessageContaining("not the one for TLS");
        assertFinding(builder, "connection", Finding.Level.FAIL);
    }

    /** A port behind which somebody listens who is no ZooKeeper, or one that wants TLS. */
    @Test
    void server_doesNotSpeakItsLanguage_saysWhatToCheck() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            ZooKeeperLocksBuilder builder =
                    ZooKeeperLocks.builder("127.0.0.1:" + socket.getLocalPort()).requestTimeout(SHORT);
            assertThatThrownBy(builder::connect)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("could not connect");
        }
    }

    @Test
    void examine_oneServer_saysAll() throws Exception {
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(server.address()).root("/examined");
        List<Finding> findings = builder.examine();
        assertThat(findings)
                .extracting(Finding::check)
                .contains("server", "tick", "connection", "session", "ensemble", "disk", "root");
        assertThat(findings)
                .extracting(Finding::level)
                .doesNotContain(Finding.Level.FAIL)
                .contains(Finding.Level.WARN); // one server is not an ensemble
        ZooKeeper admin = admin();
        assertThat(admin.exists("/examined", false)).as("it created nothing").isNull();
        admin.close();
        assertFinding(builder, "disk", Finding.Level.WARN); // this server does not wait for it, and does not say so
        assertThat(findings.toString()).contains("version 3.9.5, standalone").contains("26.66");
    }

    @Test
    void rights_onlyToRead_areNotEnough() throws Exception {
        ZooKeeper admin = admin();
        List<ACL> readOnly = Arrays.asList(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        admin.create("/readable", bytes("some-store"), readOnly, CreateMode.PERSISTENT);
        admin.close();
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(server.address()).root("/readable");
        assertThatThrownBy(builder::connect).hasMessageContaining("permissions read, write, create and delete");
        assertFinding(builder, "rights", Finding.Level.FAIL);
    }

    /** It answers as a server of another version would, and knows nothing else. */
    @Test
    void server_olderThan36_isFoundByTheExamination() throws IOException {
        String version = "3.5.9-83df9301aa5c2a5d284a9940177808c01bc35cef, built on 01/06/2021";
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> {
                try (Socket asked = socket.accept()) {
                    asked.getInputStream().readNBytes("srvr".length());
                    asked.getOutputStream().write(bytes("Zookeeper version: " + version + "\nMode: standalone\n"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            List<Finding> findings = ZooKeeperLocks.builder("127.0.0.1:" + socket.getLocalPort())
                    .requestTimeout(SHORT)
                    .examine();
            assertThat(answer).succeedsWithin(Duration.ofSeconds(20));
            assertThat(findings.get(0).level()).isEqualTo(Finding.Level.FAIL);
            assertThat(findings.get(0).toString()).contains("version 3.5.9, standalone, is older than 3.6");
        }
    }

    private static void assertFinding(ZooKeeperLocksBuilder builder, String check, Finding.Level level) {
        assertThat(builder.examine())
                .anySatisfy(finding ->
                        assertThat(finding).returns(check, Finding::check).returns(level, Finding::level));
    }
}
