package io.holdfast.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script, as far as it goes without a build. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RunScriptTest {
    @TempDir
    private Path folder;

    private int run(String... names) throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder("sh", "run");
        script.command().addAll(List.of(names));
        // A build would fail, and not by exit code 2.
        Path maven = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\necho built\nexit 7\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        script.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        script.redirectOutput(out().toFile()).redirectError(err().toFile());
        return script.start().waitFor();
    }

    private Path out() {
        return folder.resolve("out");
    }

    private Path err() {
        return folder.resolve("err");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoSuch", "package-info", "shop/Shop", "-v", ""})
    void run_unknownName_listsTheNamesAndBuildsNothing(String name) throws Exception {
        assertThat(run(name)).isEqualTo(2);

        assertThat(out()).isEmptyFile();
        assertThat(Files.readAllLines(err(), UTF_8))
                .startsWith("examples/run: there is no example " + name)
                .contains("  FirstLock", "  NightlyReport")
                .doesNotContain("built", "  package-info");
    }

    @Test
    void run_knownName_keepsTheBuildOutOfTheOutput() throws Exception {
        assertThat(run("FirstLock")).isEqualTo(7);

        assertThat(out()).isEmptyFile();
        assertThat(err()).hasContent("built");
    }
}
