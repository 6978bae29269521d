package io.holdfast.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The links of pages to each other: is the file there, and the heading in it? Links to other places are not followed.
 */
final class Links {
    /** Where a link leads, in angle brackets or not; a title after it does not matter. */
    private static final String TARGET = "\\s*(?:<([^>]*)>|([^)\\s]+))";

    private static final Pattern LINK = Pattern.compile(
            "\\]\\(" + TARGET + "|^ {0,3}\\[[^\\]]+\\]:" + TARGET + "|(?:href|src)\\s*=\\s*(?:\"([^\"]+)\"|'([^']+)')");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    /** A link by a name: the ones in brackets, and the short ones of a letter and a digit. */
    private static final Pattern BY_NAME =
            Pattern.compile("\\]\\[([^\\]]+)\\]|\\[([^\\]]+)\\]\\[\\]|\\[([A-Z]\\d)\\](?![(:\\[])");

    private static final Pattern NAME = Pattern.compile("^ {0,3}\\[([^\\]]+)\\]:");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    List<Problem> of(Page page) {
        List<Problem> problems = new ArrayList<>();
        List<String> lines = proseOf(page);
        Set<String> names = new HashSet<>();
        lines.forEach(line -> find(NAME, line, name -> names.add(name.toLowerCase(Locale.ROOT))));
        for (int i = 0; i < lines.size(); i++) {
            String where = page.at(i + 1);
            String line = Blocks.CODE.matcher(lines.get(i)).replaceAll("code");
            find(LINK, line, target -> trouble(page, target).ifPresent(what -> problems.add(new Problem(where, what))));
            find(BY_NAME, line, name -> {
                if (!names.contains(name.toLowerCase(Locale.ROOT))) {
                    problems.add(new Problem(where, "links to [" + name + "], and nothing says where that is"));
                }
            });
        }
        return problems;
    }

    /** Tells the first group that matched, of every match. */
    private static void find(Pattern pattern, String line, Consumer<String> found) {
        Matcher matcher = pattern.matcher(line);
        while (matcher.find()) {
            for (int i = 1; i <= matcher.groupCount(); i++) {
                if (matcher.group(i) != null) {
                    found.accept(matcher.group(i));
                    break;
                }
            }
        }
    }

    private Optional<String> trouble(Page page, String target) {
        if (ELSEWHERE.matcher(target).matches()) {
            return Optional.empty();
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = page.file().resolveSibling(path).normalize();
        if (!path.isEmpty() && !Files.exists(file)) {
            return Optional.of("links to " + target + ", and there is no such file");
        }
        if (hash < 0) {
            return Optional.empty();
        }
        Set<String> headings =
                path.isEmpty() ? anchorsOf(page) : anchors.computeIfAbsent(file, each -> anchorsOf(Page.read(each)));
        return headings.contains(target.substring(hash + 1))
                ? Optional.empty()
                : Optional.of("links to " + target + ", and that page has no such heading");
    }

    /** Lines of code count as empty ones. */
    static List<String> proseOf(Page page) {
        List<String> prose = new ArrayList<>(page.lines());
        for (Block block : Blocks.of(page).found()) {
            for (int i = 0; i < block.lines().size() + 2; i++) {
                prose.set(block.line() - 1 + i, "");
            }
        }
        return prose;
    }

    /**
     * Headings as the sites that show Markdown name them: lower case, dashes for spaces, nothing but letters and
     * digits.
     */
    static Set<String> anchorsOf(Page page) {
        Set<String> anchors = new HashSet<>();
        for (String line : proseOf(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String words = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
                String anchor = words.strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                        .replace(' ', '-');
                String unique = anchor;
                for (int twin = 1; !anchors.add(unique); twin++) {
                    unique = anchor + "-" + twin;
                }
            }
        }
        return anchors;
    }
}
