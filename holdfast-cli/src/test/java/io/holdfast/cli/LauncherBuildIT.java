package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher where nothing is built yet. Maven is played by a script, which says what Maven says and brings what this
 * build has packaged.
 */
@Tag("integration")
class LauncherBuildIT {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private static final String MAVEN = """
            #!/bin/sh
            echo built >>"$CLONE/builds"
            echo '[INFO] Scanning for projects...'
            echo '[INFO] Building Holdfast Core 0.1.0-SNAPSHOT                             [2/8]'
            echo '[INFO] Building Holdfast Command Line 0.1.0-SNAPSHOT                     [8/8]'
            if [ -e "$CLONE/broken" ]; then
                echo '[ERROR] Run.java:[7,1] this does not compile'
                exit 1
            fi
            mkdir -p holdfast-cli/target/app/lib
            ls -A holdfast-cli/target/app/lib >"$CLONE/before"
            cp -r "$APP/bin" "$APP/lib" holdfast-cli/target/app/
            touch holdfast-cli/target/app/built
            """;

    @TempDir
    private Path clone;

    @BeforeEach
    void placeLauncher() throws IOException {
        Files.copy(REPOSITORY.resolve("holdfast"), clone.resolve("holdfast"));
        Files.createFile(clone.resolve("pom.xml"));
        for (String module : new String[] {
            "holdfast-core",
            "holdfast-memory",
            "holdfast-redis",
            "holdfast-quorum",
            "holdfast-fence",
            "holdfast-jdbc",
            "holdfast-zookeeper",
            "examples",
            "holdfast-cli"
        }) {
            Files.createDirectories(clone.resolve(module).resolve("src/main"));
            Files.createFile(clone.resolve(module).resolve("pom.xml"));
        }
        Files.createDirectory(clone.resolve("holdfast-cli/src/app"));
        Path maven = Files.createDirectory(clone.resolve("bin")).resolve("mvn");
        Files.writeString(maven, MAVEN);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
    }

    private Cli shell(String line) {
        return Cli.with("redis://localhost:1")
                .in(clone)
                .env("CLONE", clone.toString())
                .env("APP", REPOSITORY.resolve("holdfast-cli/target/app").toString())
                .env("PATH", clone.resolve("bin") + ":" + System.getenv("PATH"))
                .shell(line);
    }

    private String errorsOf(String line, int code) {
        try (Cli shell = shell(line)) {
            assertThat(shell.exitCode()).as(shell.err()).isEqualTo(code);
            if (code == 0) {
                assertThat(shell.out()).startsWith("holdfast ");
            }
            return shell.err();
        }
    }

    @Test
    void firstUse_buildsAndSaysSo_onlyOnce() {
        assertThat(errorsOf("./holdfast --version", 0)).isEqualTo("""
                holdfast: building itself: about a minute, more if Maven has to fetch libraries
                holdfast:   [2/8] Holdfast Core
                holdfast:   [8/8] Holdfast Command Line
                """);
        assertThat(errorsOf("./holdfast --version", 0)).isEmpty();
    }

    @Test
    void firstUse_twoAtOnce_buildOnce() {
        errorsOf("./holdfast --version >/dev/null & ./holdfast --version && wait", 0);
        assertThat(clone.resolve("builds")).hasContent("built");
    }

    @Test
    void use_afterAChange_buildsAgain() throws IOException {
        errorsOf("./holdfast --version", 0);
        Path source = Files.createFile(clone.resolve("holdfast-redis/src/main/New.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
        assertThat(errorsOf("./holdfast --version", 0)).startsWith("holdfast: building itself");
        assertThat(clone.resolve("before"))
                .as("archives that commands still use are not written over")
                .isEmptyFile();
    }

    @Test
    void firstUse_buildFails_saysWhyAndWhereTheRestIs() throws IOException {
        Files.createFile(clone.resolve("broken"));
        assertThat(errorsOf("./holdfast run a -- true", ExitCodes.INTERNAL))
                .contains("[ERROR] Run.java:[7,1] this does not compile")
                .endsWith("holdfast: it could not be built; all that Maven said is in holdfast-cli/target/build.log\n");
        assertThat(clone.resolve("holdfast-cli/target/build.log")).content().contains("Scanning for projects");
    }

    @Test
    void firstUse_noMaven_saysSo() throws IOException {
        Files.delete(clone.resolve("bin/mvn"));
        assertThat(errorsOf(
                        "for tool in sh dirname readlink find head mkdir flock java; do ln -s \"$(command -v $tool)\" bin; done;"
                                + " PATH=$CLONE/bin ./holdfast --version",
                        ExitCodes.BROKEN))
                .isEqualTo("holdfast: mvn (Maven) is needed to build it, and is not installed\n");
    }
}
