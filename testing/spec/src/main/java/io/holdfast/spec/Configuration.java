package io.holdfast.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One model to check: a {@code .cfg} file. Its first four lines are comments that say to which module it belongs, what
 * is expected, who runs it, and what it is about.
 *
 * @param file the file
 * @param module the specification, without {@code .tla}
 * @param expected the invariant that this variant must break, or {@link #SAFE}
 * @param runner who runs it beside {@code bin/check-spec}, which runs all
 * @param about one sentence
 */
record Configuration(Path file, String module, String expected, Runner runner, String about) {
    /** Expected of a model that must keep every invariant in every state. */
    static final String SAFE = "safe";

    private static final String MODULE = "\\* Module: ";
    private static final String EXPECTED = "\\* Expected: ";
    private static final String RUN_BY = "\\* Run by: ";
    private static final String ABOUT = "\\* ";

    /** Who runs a model, as its file says it. */
    enum Runner {
        /** The build. */
        BUILD("mvn verify"),
        /** The long tests. */
        FULL("mvn -Pfull verify"),
        /** Only the command: it takes minutes. */
        COMMAND("bin/check-spec");

        private final String text;

        Runner(String text) {
            this.text = text;
        }

        static Runner of(String text, Path file) {
            return Stream.of(values())
                    .filter(runner -> runner.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(file + " is run by '" + text + "', expected one of "
                            + Stream.of(values()).map(runner -> runner.text).toList()));
        }
    }

    /** All configurations of a folder, by name. */
    static List<Configuration> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".cfg"))
                    .sorted()
                    .toList();
            List<Configuration> all = new ArrayList<>();
            for (Path file : sorted) {
                all.add(read(file));
            }
            return List.copyOf(all);
        }
    }

    private static Configuration read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < 4) {
            throw new IllegalArgumentException(file + " has no head of four lines");
        }
        return new Configuration(
                file,
                after(MODULE, lines.get(0), file),
                after(EXPECTED, lines.get(1), file),
                Runner.of(after(RUN_BY, lines.get(2), file), file),
                after(ABOUT, lines.get(3), file));
    }

    private static String after(String prefix, String line, Path file) {
        if (!line.startsWith(prefix)) {
            throw new IllegalArgumentException(file + " has '" + line + "' where '" + prefix + "…' should be");
        }
        return line.substring(prefix.length()).strip();
    }

    String name() {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - ".cfg".length());
    }

    boolean safe() {
        return expected.equals(SAFE);
    }

    @Override
    public String toString() {
        return name();
    }
}
