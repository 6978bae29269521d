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
 * The messages that a page quotes: what stands as code at the beginning of a table's row. A message is quoted as it is
 * printed, with … for what changes; everything between must stand in one source file, in that order.
 */
final class Messages {
    private static final Pattern QUOTE = Pattern.compile("\\| `([^`]+)`.*");
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

    private final List<String> sources;

    private Messages(List<String> sources) {
        this.sources = sources;
    }

    /** The sources of what is published. */
    static Messages ofSources() {
        try (Stream<Path> modules = Files.list(Page.ROOT)) {
            List<String> sources = new ArrayList<>();
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (module.getFileName().toString().startsWith("holdfast-") && Files.isDirectory(main)) {
                    sources.addAll(textsBelow(main));
                }
            }
            return new Messages(sources);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> textsBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Page::read)
                    .map(file -> JOINED.matcher(String.join("\n", file.lines())).replaceAll(""))
                    .toList();
        }
    }

    /** How many messages a page quotes. */
    static int quotedIn(Page page) {
        return (int) page.lines().stream()
                .filter(line -> QUOTE.matcher(line).matches())
                .count();
    }

    /** Quotes that nobody says any more. */
    List<Problem> missing(Page page) {
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < page.lines().size(); i++) {
            Matcher quote = QUOTE.matcher(page.lines().get(i));
            if (quote.matches()
                    && sources.stream().noneMatch(pattern(quote.group(1)).asPredicate())) {
                problems.add(new Problem(page.at(i + 1), "quotes a message that no source has: " + quote.group(1)));
            }
        }
        return problems;
    }

    private static Pattern pattern(String message) {
        StringBuilder pattern = new StringBuilder();
        for (String part : message.split("…", -1)) {
            if (!part.isEmpty()) { // at an end, it would be searched for at every place
                pattern.append(pattern.length() == 0 ? "" : ".{0,240}?").append(Pattern.quote(part));
            }
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }
}
