package io.holdfast.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fits a screen, and what JSON makes of any text. */
class ScreenTest {
    /** What else would be cut off at the right is what one looks for. */
    @Test
    void shorten_lineTooLong_takesItFromOneColumn() {
        Table table = new Table(new Screen(System.out, System.err, false, false), "A", "B", "C");
        table.row("a", "b".repeat(50), "c");

        assertThat(table.shorten(1, 30).lines().get(1)).isEqualTo("a  " + "b".repeat(23) + "…  c");
        assertThat(table.shorten(1, 3).lines().get(1)).isEqualTo("a  " + "b".repeat(15) + "…  c");
    }

    @Test
    void line_nobodyReads_isNoSuccess() throws IOException {
        PipedOutputStream pipe = new PipedOutputStream();
        new PipedInputStream(pipe).close();
        Screen screen = new Screen(new PrintStream(pipe, true, StandardCharsets.UTF_8), System.err, false, false);

        assertThatThrownBy(() -> screen.line("to nobody")).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void json_anyText_isEscaped() {
        assertThat(Json.text(Map.of("a\"\\", List.of("\u0001\n", 1, true))))
                .isEqualTo("{\"a\\\"\\\\\":[\"\\u0001\\n\",1,true]}");
        assertThat(Json.text("a\u2028b")).as("on one line, for every reader").isEqualTo("\"a\\u2028b\"");
        assertThat(Json.text(null)).isEqualTo("null");
    }

    @Test
    void without_columnThatDoesNotFit_isLeftOutAndOnlyThen() {
        Table table = new Table(new Screen(System.out, System.err, false, false), "A", "B", "C");
        table.row("one", "two", "three");

        assertThat(table.without(1, 15).lines()).containsExactly("A    B    C", "one  two  three");
        assertThat(table.without(1, 14).lines()).containsExactly("A    C", "one  three");
    }

    @Test
    void outlet_readerGoneOrDiskFull_isToldApart(@TempDir Path folder) throws IOException {
        Path pipe = Files.createSymbolicLink(folder.resolve("pipe"), Path.of("pipe:[4711]"));
        Path file = Files.createSymbolicLink(folder.resolve("file"), Path.of("/var/log/full"));

        assertThatThrownBy(() -> screen(pipe, "Datenübergabe unterbrochen").line("a"))
                .isInstanceOf(ReaderGoneException.class);
        assertThatThrownBy(() -> screen(folder.resolve("none"), "Broken pipe").line("a"))
                .isInstanceOf(ReaderGoneException.class);
        assertThatThrownBy(() -> screen(file, "No space left on device").line("a"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("the output cannot be written");
    }

    private static Screen screen(Path link, String failure) {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int letter) throws IOException {
                throw new IOException(failure);
            }
        };
        return new Screen(new Outlet(broken, link), System.err, false, false);
    }

    @Test
    void fitting_moreLinesThanTheScreenHas_saysHowManyAreLeftOut() {
        assertThat(LiveLines.fitting(List.of("a", "b", "c", "d"), 3)).containsExactly("a", "b", "… and 2 more lines");
        assertThat(LiveLines.fitting(List.of("a", "b", "c"), 3)).containsExactly("a", "b", "c");
    }

    @Test
    void cut_styledLine_countsWhatIsSeen() {
        assertThat(LiveLines.cut("\u001b[1mabcdef\u001b[0m", 3)).isEqualTo("\u001b[1mabc\u001b[0m\u001b[0m");
        assertThat(LiveLines.cut("abc", 3)).isEqualTo("abc");
    }

    /** What is wider than the screen goes on in the next line, and all is drawn too low. */
    @Test
    void cut_lettersOfTwoColumnsAndOfNone_countsColumns() {
        assertThat(LiveLines.cut("订单a锁", 5)).isEqualTo("订单a");
        assertThat(LiveLines.cut("订单a锁", 6)).isEqualTo("订单a");
        assertThat(LiveLines.cut("a\u0301b🔒c", 4)).isEqualTo("a\u0301b🔒");
    }

    @Test
    void lines_lettersOfTwoColumns_standBelowEachOther() {
        Table table = new Table(new Screen(System.out, System.err, false, false), "A", "B");
        table.row("订单", "x");
        table.row("abc", "锁".repeat(20));

        assertThat(table.lines()).containsExactly("A     B", "订单  x", "abc   " + "锁".repeat(20));
        assertThat(table.shorten(1, 22).lines()).containsExactly("A     B", "订单  x", "abc   " + "锁".repeat(7) + "…");
    }

    @Test
    void note_textWithControls_staysOneVisibleLine() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Screen screen = new Screen(System.out, new PrintStream(err, true, StandardCharsets.UTF_8), false, false);

        screen.note("a\u001b[2J\nb\u202e\u2028ü");
        screen.stackTrace(new IllegalStateException("c\u001b[2J"));

        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("holdfast: a\\u001b[2J\\u000ab\\u202e\\u2028ü\n")
                .contains("IllegalStateException: c\\u001b[2J\n\tat io.holdfast")
                .doesNotContain("\u001b");
    }
}
