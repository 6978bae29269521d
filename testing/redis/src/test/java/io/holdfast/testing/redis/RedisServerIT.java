package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.testing.process.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
class RedisServerIT {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void start_lone_answersInItsVersion(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version)) {
            assertThat(server.info("server").get("redis_version")).startsWith(version.version() + ".");
            assertThat(server.command("SET", "k", "v")).isEqualTo("OK");
            assertThat(server.command("GET", "k")).isEqualTo("v");
            assertThat(server.command("GET", "none")).isNull();
            assertThat(server.command("INCR", "n")).isEqualTo(1L);
            assertThat(server.command("MGET", "k", "none", "n")).isEqualTo(Arrays.asList("v", null, "1"));
            assertThatThrownBy(() -> server.command("INCR", "k"))
                    .isInstanceOfSatisfying(
                            RedisConsoleException.class,
                            e -> assertThat(e.kind()).isEqualTo("ERR"));
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void restart_appendOnly_keepsRollsBackOrLosesData(RedisVersion version) {
        try (RedisServer server =
                RedisServer.builder(version).appendFsync("always").start()) {
            server.command("SET", "k", "old");
            AofCopy copy = server.copyAof();
            server.command("SET", "k", "new");
            int port = server.port();
            server.kill();
            assertThat(server.isAlive()).isFalse();
            server.restart();
            assertThat(server.command("GET", "k")).isEqualTo("new");
            server.stop();
            server.restart();
            assertThat(server.command("GET", "k")).isEqualTo("new");
            server.restartFrom(copy);
            assertThat(server.command("GET", "k")).isEqualTo("old");
            server.restartFrom(copy);
            assertThat(server.command("GET", "k")).isEqualTo("old");
            server.restartEmpty();
            assertThat(server.command("GET", "k")).isNull();
            assertThat(server.port()).isEqualTo(port);
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void truncateAof_lastCommands_areLost(RedisVersion version) {
        try (RedisServer server =
                RedisServer.builder(version).appendFsync("always").start()) {
            for (int i = 0; i < 5; i++) {
                server.command("INCR", "n");
            }
            server.truncateAof(2);
            server.restart();
            assertThat(server.command("GET", "n")).isEqualTo("3");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void pause_running_isSilentUntilResumed(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version);
                RedisConsole console = server.console()) {
            server.pause();
            console.send("PING");
            assertThat(server.isAlive()).isTrue();
            server.resume();
            assertThat(console.read()).isEqualTo("PONG");
            server.pause();
            server.kill();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void commandStats_someCommands_areCounted(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version)) {
            server.command("SET", "k", "v");
            server.resetStats();
            server.command("GET", "k");
            server.command("GET", "k");
            assertThat(server.commandStats().get("get").calls()).isEqualTo(2);
            assertThat(server.commandStats()).doesNotContainKey("set");
            server.flushAll();
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void clientKill_bothKinds_cutsThose(RedisVersion version) {
        try (RedisServer server = RedisServer.start(version);
                RedisConsole normal = server.console();
                RedisConsole subscriber = server.console()) {
            normal.command("PING");
            subscriber.command("SUBSCRIBE", "channel");
            assertThat(server.clientKill("pubsub")).isEqualTo(1);
            assertThatThrownBy(subscriber::read).isInstanceOf(RedisUnreachableException.class);
            assertThat(normal.command("PING")).isEqualTo("PONG");
            assertThat(server.clientKill("normal")).isEqualTo(1);
            assertThatThrownBy(() -> normal.command("PING")).isInstanceOf(RedisUnreachableException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void scriptFlush_loadedScript_isGone(RedisVersion version) {
        try (RedisServer server =
                RedisServer.builder(version).config("requirepass", "se\"cret").start()) {
            String sha = String.valueOf(server.command("SCRIPT", "LOAD", "return 1"));
            assertThat(server.command("EVALSHA", sha, "0")).isEqualTo(1L);
            server.scriptFlush();
            assertThatThrownBy(() -> server.command("EVALSHA", sha, "0")).hasMessageStartingWith("NOSCRIPT");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void start_badOption_failsWithTheLog(RedisVersion version) {
        assertThatThrownBy(() -> RedisServer.builder(version)
                        .config("no-such-option", "1")
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-option");
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void close_running_leavesNothing(RedisVersion version) {
        RedisServer server = RedisServer.builder(version).appendOnly().start();
        long pid = server.pid();
        Path dir = server.dir();
        server.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(Files.exists(dir)).isFalse();
        server.close();
    }

    /** The JVM is killed, so that it cannot clean up; the server must end all the same. */
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void start_jvmKilled_serverEndsToo(RedisVersion version) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AbandonedServer.class.getName(),
                        version.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] words = new Scanner(jvm.getInputStream(), "UTF-8").nextLine().split(" ", 2);
        long pid = Long.parseLong(words[0]);
        assertThat(ProcessHandle.of(pid)).isPresent();
        jvm.destroyForcibly().waitFor();
        await().untilAsserted(() ->
                assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty());
        Folders.delete(Path.of(words[1]));
        assertThat(List.of(words)).hasSize(2);
    }

    /** Starts a server, tells where it is and waits to be killed. */
    static final class AbandonedServer {
        private AbandonedServer() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) throws InterruptedException {
            RedisServer server = RedisServer.start(RedisVersion.valueOf(args[0]));
            System.out.println(server.pid() + " " + server.dir());
            Thread.currentThread().join();
        }
    }
}
