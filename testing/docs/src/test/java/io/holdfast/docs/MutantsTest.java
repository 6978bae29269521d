package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The lists in {@code testing/mutants} fit the sources. {@code bin/mutants} runs for hours, and one whose text is not
 * there any more breaks nothing.
 */
class MutantsTest {
    private static final Path LISTS = Page.ROOT.resolve("testing/mutants");

    /** A call of the program for one list: its name, and where the files are that it breaks. */
    private static final Pattern RUN = Pattern.compile("^ +run ([a-z-]+) (\\S+) io\\.", Pattern.MULTILINE);

    /** One block of a list, field by field. */
    private record Mutant(String list, Map<String, String> fields) {
        String field(String name) {
            return fields.getOrDefault(name, "");
        }

        @Override
        public String toString() {
            return list + " " + field("name");
        }
    }

    @Test
    void lists_inTheFolder_areThoseThatAreRun() throws IOException {
        try (Stream<Path> files = Files.list(LISTS)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".txt"))
                            .map(name -> name.replace(".txt", "")))
                    .containsExactlyInAnyOrderElementsOf(sources().keySet());
        }
    }

    @Test
    void text_ofEveryMutant_standsInItsFileExactlyOnce() throws IOException {
        Map<String, Path> sources = sources();
        List<String> dead = new ArrayList<>();
        for (Mutant mutant : all()) {
            Path file = sources.get(mutant.list).resolve(mutant.field("file"));
            long places = Files.isRegularFile(file)
                    ? anyLayout(mutant.field("from"))
                            .matcher(Files.readString(file))
                            .results()
                            .count()
                    : 0;
            if (places != 1) {
                dead.add(mutant + ": its text stands " + places + " times in " + Page.ROOT.relativize(file));
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void blocks_ofEveryList_areWholeAndHaveANameOfTheirOwn() throws IOException {
        List<Mutant> all = all();
        assertThat(all).hasSizeGreaterThan(400).allSatisfy(mutant -> {
            assertThat(mutant.fields).containsKeys("name", "rule", "file", "from", "to", "test");
            assertThat(mutant.field("to")).isNotEqualTo(mutant.field("from"));
        });
        assertThat(all).extracting(Mutant::toString).doesNotHaveDuplicates();
    }

    /** A mutant whose test was renamed would be caught by nobody. */
    @Test
    void tests_ofEveryMutant_areThere() throws IOException {
        Map<String, String> classes = testClasses();
        String methods = String.join("\n", classes.values());
        List<String> missing = new ArrayList<>();
        for (Mutant mutant : all()) {
            for (String test : mutant.field("test").split("[, ]+", -1)) {
                String[] parts = test.split("#", 2);
                String name = parts[0].replaceAll(".*[.]", "");
                // a contract's method stands in another class than the one that runs it
                boolean known =
                        classes.containsKey(name) && (parts.length == 1 || methods.contains(" " + parts[1] + "("));
                if (!known) {
                    missing.add(mutant + ": " + test);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> sources = new TreeMap<>();
        RUN.matcher(Files.readString(Page.ROOT.resolve("bin/mutants")))
                .results()
                .forEach(run -> sources.put(run.group(1), Page.ROOT.resolve(run.group(2))));
        return sources;
    }

    private static List<Mutant> all() throws IOException {
        List<Mutant> all = new ArrayList<>();
        for (String list : sources().keySet()) {
            Map<String, String> fields = new HashMap<>();
            List<String> lines = new ArrayList<>(Files.readAllLines(LISTS.resolve(list + ".txt")));
            lines.add("");
            for (String line : lines) {
                if (line.isBlank() && !fields.isEmpty()) {
                    all.add(new Mutant(list, fields));
                    fields = new HashMap<>();
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    String[] field = line.split(":", 2);
                    fields.put(field[0].strip(), field[1].strip());
                }
            }
        }
        return all;
    }

    /** Classes that may have tests, and what stands in them. */
    private static Map<String, String> testClasses() throws IOException {
        Map<String, String> classes = new HashMap<>();
        try (Stream<Path> files = Files.walk(Page.ROOT)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> each.toString().matches(".*/src/test(-\\w+)?/.*")
                            || each.toString().contains("/holdfast-tck/src/main/"))
                    .toList()) {
                classes.merge(
                        file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        }
        return classes;
    }

    /** The code, however the formatter breaks its lines: as {@code Mutants.java} looks for it. */
    private static Pattern anyLayout(String code) {
        return Pattern.compile(Pattern.compile("\\w+|[^\\w\\s]")
                .matcher(code)
                .results()
                .map(token -> Pattern.quote(token.group()))
                .collect(Collectors.joining("\\s*")));
    }
}
