package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.Ports;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that names no store uses the one that the first such command chose, whatever listens meanwhile. */
@Tag("integration")
class ChosenStoreIT {
    @TempDir
    private Path folder;

    private TestHome own;
    private Path home;

    @BeforeEach
    void makeHome() {
        own = TestHome.in(folder);
        home = own.folder();
    }

    @AfterEach
    void nothingIsLeft() {
        own.end();
    }

    private Cli.Start at(int usualPort) {
        return Cli.at(home).usualPort(usualPort).env("HOLDFAST_IDLE_SECONDS", "60");
    }

    private Path choice() {
        return home.resolve("store");
    }

    @Test
    void run_chosenRedisIsAwayForAMoment_isNotReplaced() {
        try (RedisServer redis = RedisServer.start(RedisVersion.V7_0);
                Cli first =
                        at(redis.port()).start("run", "job", "--lease", "60s", "--", "sh", "-c", "echo in; read x")) {
            first.awaitOut("in");
            redis.stop();

            try (Cli second = at(redis.port()).start("run", "job", "--wait", "0s", "--", "echo", "beside");
                    Cli looking = at(redis.port()).start("ls");
                    Cli third = at(redis.port()).start("run", "job", "--", "echo", "after")) {
                for (Cli each : new Cli[] {second, looking}) {
                    assertThat(each.exitCode()).isEqualTo(ExitCodes.BROKEN);
                    assertThat(each.err())
                            .hasLineCount(1)
                            .contains("nothing listens at localhost:" + redis.port())
                            .contains(choice().toString(), "--url", "holdfast store --forget");
                    assertThat(each.out()).isEmpty();
                }
                third.awaitErr("waiting for the store, at most 30s");
                redis.restart();
                third.awaitErr("waiting");
                assertThat(third.out()).isEmpty();
                first.type("\n");
                assertThat(first.exitCode()).as(first.err()).isZero();
                assertThat(third.exitCode()).as(third.err()).isZero();
                assertThat(third.out()).isEqualTo("after\n");
            }
            assertThat(home.resolve("server")).doesNotExist();
        }
    }

    @Test
    void run_redisAppearsBesideTheChosenOne_isNotUsedUntilTheChoiceIsForgotten() throws Exception {
        int port = Ports.free();
        try (Cli first = at(port).start("run", "job", "--", "sh", "-c", "echo in; read x")) {
            first.awaitOut("in");
            assertThat(choice()).hasContent("embedded");
            try (RedisServer appeared = RedisServer.start(RedisVersion.V7_0)) {
                try (Cli second = at(appeared.port()).start("run", "job", "--wait", "0s", "--", "echo", "beside")) {
                    assertThat(second.exitCode()).isEqualTo(ExitCodes.BUSY);
                    assertThat(second.err())
                            .contains("as before, although a server is at localhost:" + appeared.port());
                }
                first.type("\n");
                assertThat(first.exitCode()).as(first.err()).isZero();

                try (Cli shown = at(appeared.port()).start("store");
                        Cli asked = at(appeared.port()).start("store", "--forget")) {
                    assertThat(shown.exitCode()).isZero();
                    assertThat(shown.out()).startsWith("the embedded Redis of this user, remembered in " + choice());
                    assertThat(asked.exitCode()).isEqualTo(ExitCodes.USAGE);
                    assertThat(asked.err()).contains("--yes");
                }
                try (Cli forget = at(appeared.port()).start("store", "--forget", "--yes")) {
                    assertThat(forget.exitCode()).isZero();
                    assertThat(choice()).doesNotExist();
                }
                try (Cli next = at(appeared.port()).start("ls")) {
                    assertThat(next.exitCode()).as(next.err()).isZero();
                    assertThat(next.err()).isEmpty();
                    assertThat(choice()).hasContent("redis://localhost:" + appeared.port());
                }
            }
        }
    }

    /** One of the two sees a Redis, the other one does not: the first one decides for both. */
    @Test
    void choice_twoAtTheSameTime_agree() throws Exception {
        int nobody = Ports.free();
        try (RedisServer redis = RedisServer.start(RedisVersion.V7_0);
                Cli one = at(redis.port()).start("run", "job", "--", "sh", "-c", "echo $HOLDFAST_URL");
                Cli two = at(nobody).start("run", "job", "--", "sh", "-c", "echo $HOLDFAST_URL")) {
            assertThat(one.exitCode()).as(one.err()).isZero();
            assertThat(two.exitCode()).as(two.err()).isZero();
            assertThat(two.out()).isEqualTo(one.out());
        }
    }

    @Test
    void choice_namedStore_isNotRemembered() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisVersion.V7_0);
                Cli named = at(Ports.free()).env("HOLDFAST_URL", redis.uri()).start("ls");
                Cli shown = at(Ports.free()).start("store")) {
            assertThat(named.exitCode()).as(named.err()).isZero();
            assertThat(choice()).doesNotExist();
            assertThat(shown.exitCode() + " " + shown.out()).isEqualTo("0 none was chosen yet\n");
        }
    }

    @Test
    void choice_fileThatSaysNothing_isRefused() throws Exception {
        Files.writeString(choice(), "mysql");
        try (Cli refused = at(Ports.free()).start("ls")) {
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).hasLineCount(1).contains(choice() + " does not say which store is used");
        }
    }
}
