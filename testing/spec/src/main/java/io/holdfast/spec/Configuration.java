package io.holdfast.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One model to check: a {@code .cfg} file of {@code Quorum.tla}. Its first three lines are comments that say what is
 * expected, who runs it, and what it is about.
 *
 * @param file the file
 * @param expected the invariant that this variant must break, or {@link #SAFE}
 * @param inBuild whether {@code mvn verify} runs it; {@code bin/check-spec} runs all
 * @param about one sentence
 */
record Configuration(Path file, String expected, boolean inBuild, String about) {
    /** Expected of a model that must keep every invariant in every state. */
    static final String SAFE = "safe";

    private static final String EXPECTED = "\\* Expected: ";
    private static final String RUN_BY = "\\* Run by: ";
    private static final String ABOUT = "\\* ";
    private static final String BUILD = "mvn verify";
    private static final String COMMAND = "bin/check-spec";

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
        if (lines.size() < 3) {
            throw new IllegalArgumentException(file + " has no head of three lines");
        }
        String runner = after(RUN_BY, lines.get(1), file);
        if (!runner.equals(BUILD) && !runner.equals(COMMAND)) {
            throw new IllegalArgumentException(
                    file + " is run by '" + runner + "', expected '" + BUILD + "' or '" + COMMAND + "'");
        }
        return new Configuration(
                file, after(EXPECTED, lines.get(0), file), runner.equals(BUILD), after(ABOUT, lines.get(2), file));
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
