package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher at the root of the repository, on what the build has packaged a moment ago. */
@Tag("integration")
class LauncherIT {
    private static final String LAUNCHER =
            Path.of("..", "holdfast").toAbsolutePath().normalize().toString();

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Cli shell(String line) {
        return Cli.with(server.uri()).env("LAUNCHER", LAUNCHER).shell(line);
    }

    private static String output(String line) {
        try (Cli shell = shell(line)) {
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.err()).isEmpty();
            return shell.out();
        }
    }

    @Test
    void launcher_throughALinkFromAnotherFolder_startsWithoutBuilding(@TempDir Path folder) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("hf"), Path.of(LAUNCHER));

        assertThat(output("cd " + Cli.quoted(folder.toString()) + " && " + Cli.quoted(link.toString()) + " --version"))
                .startsWith("holdfast ")
                .doesNotContain("not packaged");
    }

    /**
     * As in cron: Java would read every letter that is not ASCII as a question mark, and different locks would be one.
     */
    @Test
    void launcher_noLocale_keepsNamesArgumentsAndTheCommandsLocale() {
        // Written in bytes: this process may have no locale either.
        assertThat(output(
                        "name=$(printf 'gr\\303\\266\\303\\237e'); env -i PATH=\"$PATH\" HOLDFAST_URL=\"$HOLDFAST_URL\""
                                + " \"$LAUNCHER\" run \"$name\" -- sh -c"
                                + " 'echo \"$HOLDFAST_NAME $1 ${LC_ALL-none} ${HOLDFAST_LC_ALL-none}\"' x \"$name\""))
                .isEqualTo("größe größe none none\n");
        assertThat(output("env -i PATH=\"$PATH\" LC_ALL=C HOLDFAST_URL=\"$HOLDFAST_URL\" \"$LAUNCHER\" run a -- "
                        + "sh -c 'echo \"$LC_ALL\"'"))
                .isEqualTo("C\n");
    }

    /** Its name promises UTF-8, and Java would get ASCII. */
    @Test
    void launcher_localeThatIsNotInstalled_keepsNamesAndTheCommandsLocale() {
        assertThat(
                        output(
                                "name=$(printf '\\303\\244'); env -i PATH=\"$PATH\" LANG=xx_XX.UTF-8 HOLDFAST_URL=\"$HOLDFAST_URL\""
                                        + " \"$LAUNCHER\" run \"$name\" -- sh -c 'echo \"$HOLDFAST_NAME $LANG ${LC_ALL-none}\"'"))
                .isEqualTo("ä xx_XX.UTF-8 none\n");
    }

    /** Two names that Java cannot read would be one. */
    @Test
    void launcher_bytesThatAreNoText_areRefused() {
        try (Cli shell = shell("\"$LAUNCHER\" run \"$(printf 'a\\377b')\" -- true")) {
            assertThat(shell.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(shell.err()).contains("not text in this locale").hasLineCount(1);
        }
    }

    @Test
    void launcher_closedStreams_areNotFilesOfJava() {
        assertThat(output("\"$LAUNCHER\" run a -- readlink /proc/self/fd/0 <&-"))
                .isEqualTo("/dev/null\n");
        assertThat(output("\"$LAUNCHER\" run a -- readlink /proc/self/fd/2 2>&-"))
                .isEqualTo("/dev/null\n");
    }

    @Test
    void launcher_noJava_isNotTakenForACommandThatIsMissing() {
        try (Cli shell = shell("JAVA_HOME=/nowhere \"$LAUNCHER\" run a -- true")) {
            assertThat(shell.exitCode()).isEqualTo(ExitCodes.BROKEN);
            assertThat(shell.err()).contains("java is needed").hasLineCount(1);
        }
    }
}
