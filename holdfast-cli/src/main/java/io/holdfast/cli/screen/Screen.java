package io.holdfast.cli.screen;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes: results to one stream, remarks to the other. Knows whether a person looks at it, and uses
 * colours only then and only if {@code NO_COLOR} is not set.
 */
public final class Screen {
    private static final int USUAL_WIDTH = 100;
    private static final int LEAST_WIDTH = 40;
    private static final String TERMINAL_PROPERTY = "holdfast.terminal";

    /** How a word looks. */
    public enum Style {
        /** What matters most. */
        BOLD("1"),
        /** What may be passed over. */
        DIM("2"),
        /** Wrong. */
        RED("31"),
        /** Right. */
        GREEN("32"),
        /** What deserves a look. */
        YELLOW("33"),
        /** A name. */
        CYAN("36");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final boolean coloured;

    private final BooleanSupplier abandoned;

    /** Writes to these. */
    public Screen(PrintStream out, PrintStream err, boolean terminal, boolean coloured) {
        this(out, () -> false, err, terminal, coloured);
    }

    private Screen(PrintStream out, BooleanSupplier abandoned, PrintStream err, boolean terminal, boolean coloured) {
        this.out = out;
        this.abandoned = abandoned;
        this.err = err;
        this.terminal = terminal;
        this.coloured = coloured;
    }

    /** Writes results to an outlet that knows whether anybody reads them. */
    Screen(Outlet out, PrintStream err, boolean terminal, boolean coloured) {
        this(
                new PrintStream(new BufferedOutputStream(out), true, StandardCharsets.UTF_8),
                out::isAbandoned,
                err,
                terminal,
                coloured);
    }

    /** The screen of this process. Everything is UTF-8, whatever the JVM took from the environment. */
    public static Screen system() {
        boolean terminal = isTerminal(1);
        boolean plain =
                System.getenv("NO_COLOR") != null && !System.getenv("NO_COLOR").isEmpty();
        boolean dumb = "dumb".equals(System.getenv("TERM"));
        return new Screen(
                Outlet.standard(),
                new PrintStream(System.err, true, StandardCharsets.UTF_8),
                terminal && !dumb,
                terminal && !dumb && !plain);
    }

    /**
     * Whether a stream of this process, by its number, is a terminal. The launcher knows; without it, the system tells.
     */
    public static boolean isTerminal(int stream) {
        String told = System.getProperty(TERMINAL_PROPERTY);
        if (told != null) {
            return told.contains(String.valueOf(stream));
        }
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd", String.valueOf(stream)))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Whether results go to a person's terminal. */
    public boolean isTerminal() {
        return terminal;
    }

    /** Whether colours are seen. */
    public boolean isColoured() {
        return coloured;
    }

    /**
     * A result.
     *
     * @throws ReaderGoneException if nobody reads it any more
     * @throws UncheckedIOException if the disk is full
     */
    public void line(String text) {
        out.println(text);
        checkWritten();
    }

    /**
     * Part of a result, without an end of line.
     *
     * @throws ReaderGoneException if nobody reads it any more
     * @throws UncheckedIOException if the disk is full
     */
    public void raw(String text) {
        out.print(text);
        checkWritten();
    }

    /**
     * Makes sure that all results until now were written.
     *
     * @throws ReaderGoneException if nobody reads them any more
     * @throws UncheckedIOException if the disk is full
     */
    public void checkWritten() {
        if (out.checkError()) {
            if (abandoned.getAsBoolean()) {
                throw new ReaderGoneException();
            }
            throw new UncheckedIOException("the output cannot be written", new IOException("it is closed, or full"));
        }
    }

    /** A remark: one line that says which program speaks. */
    public void note(String text) {
        err.println("holdfast: " + visible(text));
    }

    /** A remark that stands for itself. */
    public void errorText(String text) {
        err.print(text);
        err.flush();
    }

    /** Where a failure came from, on the error stream. */
    public void stackTrace(Throwable failure) {
        err.print(visibleTrace(failure));
        err.flush();
    }

    /** Where a failure came from, line by line. */
    public static String visibleTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString()
                .lines()
                .map(line -> (line.startsWith("\t") ? "\t" : "") + visible(line.strip()) + System.lineSeparator())
                .collect(Collectors.joining());
    }

    /** The text without anything in it that could move the cursor, end the line, or turn the direction of writing. */
    public static String visible(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints()
                .forEach(each ->
                        safe.append(isHidden(each) ? String.format("\\u%04x", each) : Character.toString(each)));
        return safe.toString();
    }

    private static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** Where results go. */
    public PrintStream out() {
        return out;
    }

    /** Where remarks go. */
    public PrintStream err() {
        return err;
    }

    /** The text in a style, or as it is where nobody would see it. */
    public String styled(Style style, String text) {
        return coloured ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
    }

    /** Lines that are drawn over and over in the same place. */
    public LiveLines live() {
        return new LiveLines(this);
    }

    /** How many columns there are. */
    public int width() {
        int told = number(System.getenv("COLUMNS"));
        int columns = told > 0 ? told : sizeOfTerminal(1);
        return columns == 0 ? USUAL_WIDTH : Math.max(LEAST_WIDTH, columns);
    }

    /** How many lines there are; without a terminal, as many as one likes. */
    int height() {
        int lines = sizeOfTerminal(0);
        return lines == 0 ? Integer.MAX_VALUE : lines;
    }

    /** Lines are the first number, columns the second; zero if nobody knows. */
    private int sizeOfTerminal(int which) {
        if (!terminal) {
            return 0;
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            String[] numbers = size.split(" ", -1);
            return stty.waitFor(1, TimeUnit.SECONDS) && numbers.length == 2 ? number(numbers[which]) : 0;
        } catch (IOException none) {
            return 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static int number(@Nullable String text) {
        return text != null && text.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(text) : 0;
    }
}
