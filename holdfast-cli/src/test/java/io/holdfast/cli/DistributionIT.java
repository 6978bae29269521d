package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that people get, unpacked far from the repository. */
@Tag("integration")
class DistributionIT {
    @TempDir
    private static Path folder;

    private static RedisServer server;
    private static Path home;

    @BeforeAll
    static void unpack() throws IOException {
        server = RedisServer.start(RedisVersion.V7_0);
        Path archive = only(Path.of("target"), "holdfast-[0-9].*(?<!-runtime)\\.tar\\.gz");
        Path place = Files.createDirectory(folder.resolve("elsewhere"));
        try (Cli tar = Cli.with("redis://localhost:1")
                .in(place)
                .shell("tar xzf " + Cli.quoted(archive.toAbsolutePath().toString()))) {
            assertThat(tar.exitCode()).as(tar.err()).isZero();
        }
        home = only(place, "holdfast-.*");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Path only(Path place, String pattern) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            List<Path> found = files.filter(
                            each -> each.getFileName().toString().matches(pattern))
                    .toList();
            assertThat(found).as("%s in %s", pattern, place).hasSize(1);
            return found.get(0);
        }
    }

    /** Nothing of this build is in the environment. */
    private static String output(String line) {
        try (Cli shell = Cli.with(server.uri())
                .in(folder)
                .env("JAVA_HOME", System.getProperty("java.home"))
                .env("D", home.toString())
                .shell(line)) {
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(shell.err()).isEmpty();
            return shell.out();
        }
    }

    @Test
    void unpacked_allOfIt_isThere() {
        assertThat(home.resolve("LICENSE")).isRegularFile();
        assertThat(home.resolve("README.txt"))
                .content()
                .contains("bin/holdfast")
                .doesNotContain("${");
        assertThat(home.resolve("man/man1/holdfast.1"))
                .content()
                .startsWith(".TH \"HOLDFAST\" \"1\"")
                .contains(".SS \"holdfast doctor\"", "\\-\\-longest\\-lease");
        assertThat(output("bash -n \"$D/completion/holdfast\" && wc -l <\"$D/completion/holdfast\"")
                        .strip())
                .matches("[1-9][0-9]{2,}");
    }

    @Test
    void launcher_fromAnywhere_runsAndKeepsAnArchiveOfItsClasses() throws IOException {
        assertThat(output("\"$D/bin/holdfast\" run a -- \"$D/bin/holdfast\" ls a"))
                .contains("HOLDER", "bin/holdfast ls a");
        Path archive = home.resolve("holdfast.jsa");
        assertThat(archive).isRegularFile();
        Object first = Files.readAttributes(archive, "unix:ino").get("ino");
        assertThat(output("ln -s \"$D/bin/holdfast\" hf && ./hf --version")).startsWith("holdfast ");
        assertThat(Files.readAttributes(archive, "unix:ino").get("ino"))
                .as("made once")
                .isEqualTo(first);
        assertThat(output("java=$JAVA_HOME/bin/java; \"$java\" -Xshare:on -XX:+UseG1GC -Xlog:class+load"
                        + " -XX:SharedArchiveFile=\"$D/holdfast.jsa\" -cp \"$D/lib/holdfast-cli.jar\" io.holdfast.cli.Main ls"
                        + " | grep -E '(io.holdfast|picocli|redis.clients)[.A-Za-z]* source: file:' || echo none"))
                .as("classes of ls that are read from the jars")
                .isEqualTo("none\n");
    }

    @Test
    void launcher_folderThatCannotBeWritten_keepsItInTheUsersCache() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        assertThat(output("cp -r \"$D/bin\" \"$D/lib\" shared && chmod a-w shared && sh -c '"
                        + (isRoot() ? "exec setpriv --reuid 65534 --clear-groups" : "exec env")
                        + " env XDG_CACHE_HOME="
                        + Cli.quoted(cache().toString()).replace("'", "\"")
                        + " shared/bin/holdfast --version'"))
                .startsWith("holdfast ");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(cache().resolve("holdfast/holdfast.jsa")).isRegularFile();
        assertThat(shared.resolve("holdfast.jsa")).doesNotExist();
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static Path cache() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path cache = Files.createDirectories(folder.resolve("cache"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        return cache;
    }

    /** As the distribution that has one, which the build that publishes makes; in a folder whose name needs care. */
    @Test
    void launcher_runtimeOfItsOwn_needsNoOtherJava() throws IOException {
        Path own = Files.createDirectory(folder.resolve("my own"));
        Files.createSymbolicLink(own.resolve("runtime"), Path.of(System.getProperty("java.home")));
        assertThat(output("cp -r \"$D/bin\" \"$D/lib\" 'my own' && JAVA_HOME=/nowhere 'my own/bin/holdfast' --version"))
                .startsWith("holdfast ");
    }

    @Test
    void jar_withoutTheLauncher_worksToo() {
        assertThat(output("\"$JAVA_HOME/bin/java\" -jar \"$D/lib/holdfast-cli.jar\" run a -- echo under a lock"))
                .isEqualTo("under a lock\n");
    }
}
