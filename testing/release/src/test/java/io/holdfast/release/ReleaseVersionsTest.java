package io.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/release --check}, on a copy of what it looks at. */
class ReleaseVersionsTest {
    private static final Path ROOT = Path.of("..", "..");

    @TempDir
    Path copy;

    @BeforeEach
    void copy() throws IOException {
        for (String file : List.of("bin/release", "bin/common.sh", "pom.xml", "README.md", "CHANGELOG.md")) {
            copy(ROOT.resolve(file));
        }
        try (Stream<String> modules = Files.readString(ROOT.resolve("pom.xml"))
                .lines()
                .filter(line -> line.contains("<module>"))
                .map(line -> line.replaceAll(".*<module>|</module>.*", ""))) {
            for (String module : (Iterable<String>) modules::iterator) {
                copy(ROOT.resolve(module).resolve("pom.xml"));
            }
        }
    }

    private void copy(Path file) throws IOException {
        Path target = copy.resolve(ROOT.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
    }

    private void replace(String file, String what, String by) throws IOException {
        String text = Files.readString(copy.resolve(file));
        assertThat(text).containsPattern(what);
        Files.writeString(copy.resolve(file), text.replaceFirst(what, by));
    }

    /** What the script says, and behind it how it ended. */
    private String check(String... options) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of("sh", copy.resolve("bin/release").toString()), Stream.of(options))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + "ends with " + process.waitFor();
    }

    @Test
    void versions_ofThisCheckout_areConsistent() throws Exception {
        assertThat(check("--check")).doesNotContain("wrong").endsWith("ends with 0");
    }

    @Test
    void module_withAnotherVersion_isNamed() throws Exception {
        replace("holdfast-redis/pom.xml", "<version>[^<]*<", "<version>9.9.9<");

        assertThat(check("--check"))
                .contains("holdfast-redis/pom.xml has version 9.9.9")
                .endsWith("ends with 1");
    }

    @Test
    void bom_withAnotherVersion_isNamed() throws Exception {
        replace("holdfast-bom/pom.xml", "<version>[^<]*<", "<version>9.9.9<");

        assertThat(check("--check"))
                .contains("holdfast-bom/pom.xml has version 9.9.9")
                .endsWith("ends with 1");
    }

    @Test
    void page_withAnotherVersion_isNamed() throws Exception {
        replace("README.md", "<version>[^<]*<", "<version>9.9.9<");

        assertThat(check("--check")).contains("README.md says version 9.9.9").endsWith("ends with 1");
    }

    @Test
    void library_thatIsASnapshot_isNamed() throws Exception {
        replace("pom.xml", "<jedis.version>[^<]*<", "<jedis.version>9.0.0-SNAPSHOT<");

        assertThat(check("--check")).contains("jedis is a snapshot").endsWith("ends with 1");
    }

    @Test
    void release_ofASnapshot_isRefused() throws Exception {
        assertThat(check()).contains("wrong: version ", " is a snapshot").endsWith("ends with 1");
    }

    /** It goes on where a release would stop, but not where something is wrong. */
    @Test
    void rehearsal_withAnotherVersion_stopsBeforeItBuilds() throws Exception {
        replace("holdfast-bom/pom.xml", "<version>[^<]*<", "<version>9.9.9<");

        assertThat(check("--dry-run"))
                .contains("holdfast-bom/pom.xml has version 9.9.9")
                .doesNotContain("building")
                .endsWith("ends with 1");
    }

    @Test
    void release_withoutItsChanges_isRefused() throws Exception {
        for (Path pom : poms()) {
            String text = Files.readString(pom);
            Files.writeString(pom, text.replace("-SNAPSHOT<", "<"));
        }
        replace("README.md", "-SNAPSHOT<", "<");

        assertThat(check("--check")).contains("CHANGELOG.md has no heading ## ").endsWith("ends with 1");
        replace("CHANGELOG.md", "## Unreleased", "## 0.1.0 (2026-12-01)");
        assertThat(check("--check")).endsWith("ends with 0");
    }

    private List<Path> poms() throws IOException {
        try (Stream<Path> files = Files.walk(copy)) {
            return files.filter(file -> file.endsWith("pom.xml")).toList();
        }
    }

    @Test
    void option_thatIsUnknown_isRefused() throws Exception {
        assertThat(check("--publish")).contains("unknown option '--publish'").endsWith("ends with 2");
    }
}
