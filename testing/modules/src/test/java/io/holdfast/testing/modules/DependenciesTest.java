package io.holdfast.testing.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/dependencies.md} names exactly what users of the published modules get. */
class DependenciesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern NAME = Pattern.compile("`([\\w.-]+:[\\w.-]+)`");
    private static final Pattern MODULE = Pattern.compile("^\\| `(holdfast-[a-z0-9-]+)` \\| (.*) \\|$");
    private static final Pattern LIBRARY = Pattern.compile("^\\| `([\\w.-]+:[\\w.-]+)` \\| [^|]+ \\| [^|]+ \\|$");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>([^<]*)</groupId>\\s*<artifactId>([^<]*)</artifactId>((?:(?!</dependency>)[\\s\\S])*)");

    private static Stream<String> page() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/dependencies.md")).stream();
    }

    /** What Maven found while it built the modules. */
    private static Map<String, Set<String>> resolved() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        try (Stream<Path> folders = Files.list(ROOT)) {
            for (Path folder : (Iterable<Path>) folders::iterator) {
                Path list = folder.resolve("target/dependencies.txt");
                if (folder.getFileName().toString().startsWith("holdfast-") && Files.exists(list)) {
                    found.put(folder.getFileName().toString(), librariesOf(folder, list));
                }
            }
        }
        return found;
    }

    private static Set<String> librariesOf(Path folder, Path tree) throws IOException {
        Set<String> optional = DEPENDENCY
                .matcher(Files.readString(folder.resolve("pom.xml")))
                .results()
                .filter(dependency -> dependency.group(3).contains("<optional>true"))
                .map(dependency -> dependency.group(1) + ":" + dependency.group(2))
                .collect(Collectors.toSet());
        return new DependencyTree(Files.readAllLines(tree), optional).librariesOfOthers();
    }

    @Test
    void library_belowSomethingOptional_comesAlongByAnotherWay() {
        assertThat(new DependencyTree(
                                List.of(
                                        "io.holdfast:a:jar:1",
                                        "+- b:b:jar:1:compile",
                                        "|  +- c:c:jar:1:compile",
                                        "|  \\- d:d:jar:1:compile",
                                        "+- e:e:jar:1:compile",
                                        "|  +- (c:c:jar:1:compile - omitted for duplicate)",
                                        "|  \\- f:f:jar:1:runtime",
                                        "\\- g:g:jar:1:test"),
                                Set.of("b:b"))
                        .librariesOfOthers())
                .containsExactly("c:c", "e:e", "f:f");
    }

    private static Map<String, Set<String>> promised() throws IOException {
        return page().flatMap(line -> MODULE.matcher(line).results())
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> NAME.matcher(row.group(2))
                                .results()
                                .map(name -> name.group(1))
                                .collect(Collectors.toCollection(TreeSet::new)),
                        (one, other) -> one,
                        TreeMap::new));
    }

    @Test
    void modules_ofThePage_bringWhatMavenResolves() throws IOException {
        assertThat(promised()).hasSizeGreaterThan(15).isEqualTo(resolved());
    }

    @Test
    void libraries_thatComeAlong_haveALicenceAndAReason() throws IOException {
        Set<String> explained = page().flatMap(line -> LIBRARY.matcher(line).results())
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> come = new TreeSet<>();
        resolved().values().forEach(come::addAll);

        assertThat(explained).isEqualTo(come);
    }

    @Test
    void core_andTheToolsForTests_bringNothing() throws IOException {
        assertThat(resolved())
                .containsEntry("holdfast-core", Set.of())
                .containsEntry("holdfast-memory", Set.of())
                .containsEntry("holdfast-jdbc", Set.of())
                .containsEntry("holdfast-testing", Set.of());
    }
}
