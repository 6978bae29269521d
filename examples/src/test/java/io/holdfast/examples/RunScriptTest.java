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

    /** With a Maven that fails, and a Java that says so if it is asked. */
    private int run(String... names) throws IOException, InterruptedException {
        return run(7, names);
    }

    private int run(int built, String... names) throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder("sh", "run");
        script.command().addAll(List.of(names));
        program("mvn", "printf '\\033[1mbuilt\\033[0m\\n\\033[m'; exit " + built);
        program("java", "echo ran");
        script.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        script.redirectOutput(out().toFile()).redirectError(err().toFile());
        return script.start().waitFor();
    }

    private void program(String name, String does) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + does + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
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
    void run_buildFails_saysWhyWithoutEscapeCodes() throws Exception {
        assertThat(run("FirstLock")).isEqualTo(70);

        assertThat(out()).isEmptyFile();
        assertThat(err()).hasContent("built\nexamples could not be built");
    }

    /** Even a quiet Maven writes an escape code. */
    @Test
    void run_built_printsWhatTheExampleSaysAndNothingElse() throws Exception {
        assertThat(run(0, "FirstLock")).isZero();

        assertThat(out()).hasContent("ran");
        assertThat(err()).isEmptyFile();
    }
}
