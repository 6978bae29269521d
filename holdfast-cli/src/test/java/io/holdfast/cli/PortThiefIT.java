package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another user of the machine who listens where the embedded Redis was. Only root can start somebody else's process, so
 * there is a test for root only.
 */
@Tag("integration")
class PortThiefIT {
    private static final String OTHER_USER = "65534";

    @TempDir
    private Path folder;

    private TestHome own;

    @BeforeEach
    void makeHome() {
        own = TestHome.in(folder);
    }

    @AfterEach
    void nothingIsLeft() {
        own.end();
    }

    private Cli.Start at() {
        return Cli.at(own.folder()).usualPort(1).env("HOLDFAST_IDLE_SECONDS", "60");
    }

    /** As another user, who can read neither our home nor our classes. */
    private Cli thief(String url) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Path classes = folder.resolve("classes/io/holdfast/cli");
        Files.createDirectories(classes);
        try (var bytes = PortThief.class.getResourceAsStream("PortThief.class")) {
            Files.copy(bytes, classes.resolve("PortThief.class"));
        }
        return at().shell(String.join(
                " ",
                List.of(
                        "exec setpriv --reuid " + OTHER_USER + " --regid " + OTHER_USER + " --clear-groups",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m",
                        "-cp",
                        folder.resolve("classes").toString(),
                        PortThief.class.getName(),
                        url.substring(url.lastIndexOf(':') + 1))));
    }

    private void killServer() {
        long server = await().atMost(Cli.PATIENCE)
                .until(() -> own.processes("redis-server"), found -> found.size() == 1)
                .get(0);
        Cli.signal("KILL", server);
        Outputs.awaitEnded(server);
    }

    @TestFactory
    Stream<DynamicTest> embeddedRedis_anotherUserListensInItsPlace() {
        boolean isRoot = System.getProperty("user.name").equals("root");
        return isRoot ? Stream.of(dynamicTest("hears nothing and serves nobody", this::steal)) : Stream.empty();
    }

    private void steal() throws Exception {
        try (Cli holder =
                at().start("run", "db", "--lease", "3s", "--", "sh", "-c", "echo $HOLDFAST_URL; exec sleep 60")) {
            String url = holder.awaitOut("\n").out().strip();
            killServer();
            try (Cli thief = thief(url).awaitOut("listening")) {
                assertThat(holder.exitCode()).isEqualTo(ExitCodes.LOST); // it tried again and again, on new connections
                try (Cli child = at().env("HOLDFAST_URL", url).start("run", "db", "--wait", "0s", "--", "echo", "in");
                        Cli doctor = at().env("HOLDFAST_URL", url).start("doctor")) {
                    assertThat(child.exitCode()).isEqualTo(ExitCodes.BROKEN);
                    assertThat(child.err())
                            .contains("belongs to another user of this machine (uid " + OTHER_USER + ")");
                    assertThat(child.out()).isEmpty();
                    assertThat(doctor.exitCode()).isEqualTo(ExitCodes.BROKEN);
                }
                try (Cli next = at().start("run", "db", "--", "sh", "-c", "echo $HOLDFAST_URL")) {
                    assertThat(next.exitCode()).as(next.err()).isZero();
                    assertThat(next.out()).startsWith("redis://:embedded-0-").isNotEqualTo(url + "\n");
                }
                assertThat(thief.out()).contains("accepted").doesNotContain("heard");
            }
        }
    }
}
