package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import io.holdfast.zookeeper.ZooKeeperLocks;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands on ZooKeeper. */
@Tag("integration")
class ZooKeeperIT extends StoreCommands {
    private static ZooKeeperServer server;
    private static String url;
    private static LockClient locks;

    @BeforeAll
    static void start() {
        server = ZooKeeperServer.start(2_000, Map.of());
        url = "zk://" + server.address() + "/app";
        locks = ZooKeeperLocks.builder(server.address() + "/app")
                .clientName("shop")
                .connect();
    }

    @AfterAll
    static void stop() {
        locks.close();
        server.close();
    }

    @Override
    String url() {
        return url;
    }

    @Override
    LockClient locks() {
        return locks;
    }

    @Override
    boolean remembersWhoEnded() {
        return false;
    }

    @Test
    void init_newPath_createsTheNodeAndASecondTimeNothing() {
        for (int i = 0; i < 2; i++) {
            Called init = holdfast("init", "--prefix", "fresh", "--url", url + "/new");
            assertThat(init.err()).isEmpty();
            assertThat(init.out()).isEqualTo(url + "/new: the node fresh is there, and nothing else is needed\n");
            assertThat(init.code()).isZero();
        }
        assertThat(at("ls", "--prefix", "fresh").out()).isEqualTo("nobody holds or waits for anything\n");
    }

    @Test
    void doctor_usableServer_endsWithZero() {
        Called doctor = at("doctor");

        assertThat(doctor.code()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.out()).contains("session", "version").endsWith(" 0 wrong\n");
        assertThat(doctor.err()).isEmpty();
    }

    @Test
    void login_inTheUrl_ownsTheNodesAndIsNotTold() {
        String mine = "zk://me:s3cret@" + server.address() + "/mine";
        try (Cli run = Cli.with(mine).start("run", "a", "--", "sh", "-c", "$HOLDFAST ls")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("sh -c $HOLDFAST ls").doesNotContain("s3cret");
        }
        Called init = holdfast("init", "--url", mine);
        assertThat(init.out()).startsWith("zk://" + server.address() + "/mine: ");
        for (String login : new String[] {"", "me:wr0ng@"}) {
            Called refused = holdfast("ls", "--verbose", "--url", mine.replace("me:s3cret@", login));
            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCodes.BROKEN);
            assertThat(refused.err()).contains("/mine").doesNotContain("wr0ng", "s3cret");
        }
    }

    @Test
    void unreachable_server_isOneLine() {
        Called called = holdfast("ls", "--url", "zk://me:s3cret@127.0.0.1:1");

        assertThat(called.code()).isEqualTo(ExitCodes.BROKEN);
        assertThat(called.err()).hasLineCount(1).contains("127.0.0.1:1").doesNotContain("s3cret");
    }

    @Test
    void run_leaseThatNoSessionOfTheServerCarries_isRefusedInOneLine() {
        Called called = holdfast("run", "a", "--url", url, "--lease", "5m", "--", "true");

        assertThat(called.code()).as(called.err()).isEqualTo(ExitCodes.BROKEN);
        assertThat(called.err()).hasLineCount(1).contains("session", "40");
    }
}
