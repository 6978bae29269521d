package io.holdfast.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.screen.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final DemoCommand demo = new DemoCommand(
            new Screen(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false, false));
    private final List<Outcome> outcomes = Act.all(Words.in("en")).stream()
            .map(act -> new Outcome(act, true, "fine", Map.of("oversold", 0L), null))
            .toList();

    @TempDir
    private Path folder;

    @Test
    void conclude_pageWritten_saysWhere() {
        Path file = folder.resolve("page.html");

        assertThat(demo.conclude(Scale.QUICK, outcomes, PageFile.claim("--html", file), null))
                .isZero();

        assertThat(file).isNotEmptyFile();
        assertThat(out.toString(UTF_8)).contains("The timeline of each act is in " + file + ".");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    /** Nobody should take what goes wrong for a success, though the act has shown what it should. */
    @Test
    void conclude_oversoldInActOne_isNotGreen() {
        Screen colours = new Screen(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false, true);

        assertThat(new DemoCommand(colours).conclude(Scale.QUICK, outcomes, null, null))
                .isZero();

        List<String> rows = out.toString(UTF_8).lines().toList();
        assertThat(rows)
                .filteredOn(row -> row.contains("without a lock"))
                .hasSize(1)
                .allSatisfy(
                        row -> assertThat(row).contains("\u001b[33moversold").doesNotContain("\u001b[32m", "yes"));
        assertThat(rows)
                .filteredOn(row -> row.contains("with a lock"))
                .hasSize(1)
                .allSatisfy(row -> assertThat(row).contains("\u001b[32mright"));
    }

    @Test
    void conclude_pictureAsked_isWritten() throws Exception {
        Path file = folder.resolve("demo.svg");

        assertThat(demo.conclude(Scale.QUICK, outcomes, null, PageFile.claim("--svg", file)))
                .isZero();

        assertThat(Files.readString(file)).startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    }

    @Test
    void conclude_pageCannotBeWrittenAnyMore_stillPrintsTheLastLine() throws Exception {
        Path file = folder.resolve("page.html");
        PageFile page = PageFile.claim("--html", file);
        Files.createDirectory(file);

        assertThat(demo.conclude(Scale.QUICK, outcomes, page, null)).isEqualTo(1);

        assertThat(err.toString(UTF_8).lines())
                .containsExactly("holdfast: --html: " + file + " could not be written (it is a folder)");
        assertThat(out.toString(UTF_8).lines())
                .endsWith(DemoCommand.lastLine(outcomes))
                .noneMatch(line -> line.contains("timeline"));
    }
}
