package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Commands that pages show and that a build does not run. The program must be there, and know the options all the same.
 *
 * @param begins how such a line begins
 * @param sources the folder in which every option must be mentioned, or empty where that is not ours
 * @param why why it is not run
 */
record LeftOut(String begins, String sources, String why) {
    private static final Pattern OPTION = Pattern.compile(" (--?[A-Za-z][\\w-]*)");

    boolean fits(String line) {
        return line.equals(begins) || line.startsWith(begins + " ");
    }

    /** What is wrong with a line that is not run. */
    List<String> troubles(String line) {
        List<String> troubles = new ArrayList<>();
        String program = line.split(" ", 2)[0];
        if (program.contains("/") && !Files.isExecutable(Page.ROOT.resolve(program))) {
            troubles.add(program + " is not there");
        }
        String command = line.split(" #", 2)[0];
        Matcher option = OPTION.matcher(sources.isEmpty() ? "" : command);
        while (option.find()) {
            if (!isMentioned(option.group(1))) {
                troubles.add(program + " does not know " + option.group(1));
            }
        }
        return troubles;
    }

    private boolean isMentioned(String option) {
        try (Stream<Path> files = Files.walk(Page.ROOT.resolve(sources))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Page::read)
                    .anyMatch(file -> file.lines().stream().anyMatch(line -> line.contains("\"" + option + "\"")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
