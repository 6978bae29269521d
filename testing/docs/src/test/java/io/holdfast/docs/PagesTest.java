package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be said of pages without running anything. */
class PagesTest {
    private final List<Page> pages = Page.all();

    @Test
    void blocks_ofEveryPage_sayTheirLanguage() {
        assertThat(pages).flatMap(page -> Blocks.of(page).problems()).isEmpty();
    }

    @Test
    void links_ofEveryPage_leadSomewhere() {
        Links links = new Links();

        assertThat(pages).flatMap(links::of).isEmpty();
    }

    /** What needs another compiler or framework is run where these are, and shown as it stands there. */
    @Test
    void excerpts_ofEveryPage_areInATestedFile() {
        assertThat(pages)
                .flatMap(page -> Blocks.of(page).found())
                .filteredOn(block -> block.note("from").isPresent())
                .hasSizeGreaterThan(1)
                .allSatisfy(block -> {
                    String file = block.note("from").orElseThrow().text();
                    assertThat(file).contains("/src/test/");
                    assertThat(block.isExcerpt(Files.readString(Page.ROOT.resolve(file))))
                            .as(block.where() + " stands in " + file)
                            .isTrue();
                });
    }

    @Test
    void excerpt_thatDiffersInALine_isFound() {
        Block block = new Block(pages.get(0), 1, "kotlin", List.of("a", "  b"), List.of());

        assertThat(block.isExcerpt("x\n  a\n    b\n")).isTrue();
        assertThat(block.isExcerpt("a\nx\nb\n")).isFalse();
    }

    @Test
    void dependencies_ofEveryPage_arePublished() {
        Dependencies dependencies = new Dependencies();

        assertThat(pages)
                .flatMap(page -> Blocks.of(page).found())
                .filteredOn(block -> block.language().equals("xml"))
                .isNotEmpty()
                .flatMap(dependencies::wrong)
                .isEmpty();
    }

    @Test
    void messages_ofTroubleshooting_areSaidByTheSources() {
        Page page = Page.read(Page.ROOT.resolve("docs/guide/troubleshooting.md"));

        assertThat(Messages.quotedIn(page)).isGreaterThan(20);
        assertThat(Messages.ofSources().missing(page)).isEmpty();
    }

    /** Whoever has the jars has no file of this repository. */
    @Test
    void messages_ofTheModules_nameNoFileOfTheRepository() throws IOException {
        Pattern file = Pattern.compile("\"[^\"]*(\\bdocs/|\\.md\\b)[^\"]*\"");
        try (Stream<Path> modules = Files.list(Page.ROOT)) {
            for (Path module : modules.filter(
                            each -> each.getFileName().toString().startsWith("holdfast-"))
                    .map(each -> each.resolve("src/main"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> sources = Files.walk(module)) {
                    for (Path source : sources.filter(each -> each.toString().endsWith(".java"))
                            .toList()) {
                        assertThat(file.matcher(Files.readString(source)).results())
                                .as(source.toString())
                                .isEmpty();
                    }
                }
            }
        }
    }

    /** The walks of the architecture are those of the code, and the tests that answers cite are there. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "docs/faq.md", "docs/zh/faq.md", "docs/guarantees.md"})
    void methods_thatAreLinked_areInTheSources(String name) {
        Pattern method = Pattern.compile("\\[`(\\w+)\\.(\\w+)`\\]\\((?:\\.\\./)+([^)]*/(\\w+)\\.java)\\)");
        Page page = Page.read(Page.ROOT.resolve(name));

        assertThat(page.lines())
                .flatMap(line -> method.matcher(line).results().toList())
                .hasSizeGreaterThan(25)
                .allSatisfy(link -> {
                    assertThat(link.group(1)).isEqualTo(link.group(4));
                    assertThat(Files.readString(Page.ROOT.resolve(link.group(3))))
                            .containsPattern(declarationOf(link.group(2)));
                });
    }

    /** Each promise links to what shows it. */
    @Test
    void promises_ofTheGuarantees_areShownByTests() {
        Pattern shown = Pattern.compile(".*\\| (?:\\[`\\w+(?:\\.\\w+)?`\\]\\([^)]*\\.java\\)(?:, )?)+ \\|");
        List<String> lines = Page.read(Page.ROOT.resolve("docs/guarantees.md")).lines();
        List<String> promises = new ArrayList<>();
        for (int i = 2; i < lines.size(); i++) {
            boolean promise =
                    lines.get(i).startsWith("| ") && headingOf(lines, i).endsWith("| shown by |");
            if (promise) {
                promises.add(lines.get(i));
            }
        }

        assertThat(promises).hasSizeGreaterThan(30).allMatch(shown.asMatchPredicate());
    }

    /** The first line of the table that a row stands in. */
    private static String headingOf(List<String> lines, int row) {
        int first = row;
        while (first > 0 && lines.get(first - 1).startsWith("|")) {
            first--;
        }
        return first < row ? lines.get(first) : "";
    }

    /** Each answer shows the code that one writes, and links to the tests. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/faq.md", "docs/zh/faq.md"})
    void answers_ofTheFaq_haveCodeAndTests(String name) throws IOException {
        String[] answers = Files.readString(Page.ROOT.resolve(name)).split("(?m)^## ", -1);

        assertThat(answers).hasSize(1 + 12);
        assertThat(List.of(answers).subList(1, answers.length))
                .allSatisfy(answer -> assertThat(answer)
                        .contains("\n```java\n")
                        .containsPattern("\\[`\\w+\\.\\w+`\\]\\((?:\\.\\./)+[^)]*\\.java\\)"));
    }

    /** A member of the outermost class: what is called stands deeper. */
    private static Pattern declarationOf(String method) {
        return Pattern.compile("^ {4}(?:@\\w+ )*[\\w<][\\w<>\\[\\]., ?@]* " + method + "\\(", Pattern.MULTILINE);
    }

    @Test
    void method_thatIsCalledButNotDeclared_isFound() {
        String source = "class A {\n    private List<B> a(C c) {\n        b(c);\n        return d(c);\n    }\n}\n";

        assertThat(source).containsPattern(declarationOf("a"));
        assertThat(source).doesNotContainPattern(declarationOf("b")).doesNotContainPattern(declarationOf("d"));
    }

    /** No class of the engine is left out of its layers, and none is in two of them. */
    @Test
    void layers_ofTheArchitecture_haveEveryClassOfTheEngineOnce() throws IOException {
        Pattern type = Pattern.compile("\\[`(\\w+)`\\]\\([^)]*/io/holdfast/engine/\\w+\\.java\\)");
        List<String> classes;
        try (Stream<Path> files = Files.list(Page.ROOT.resolve("holdfast-core/src/main/java/io/holdfast/engine"))) {
            classes = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info"))
                    .toList();
        }

        assertThat(Page.read(Page.ROOT.resolve("docs/architecture.md")).lines())
                .filteredOn(line -> line.startsWith("| "))
                .flatMap(line -> type.matcher(line).results().toList())
                .extracting(found -> found.group(1))
                .containsExactlyInAnyOrderElementsOf(classes);
    }

    /** Each difference to the JDK's locks is shown by a contract, which is there and is a test. */
    @Test
    void contracts_ofTheTableOfTheJdksLocks_areInTheKit() {
        Pattern cited = Pattern.compile("`(\\w+Contract)\\.(\\w+)` \\|$");
        Page page = Page.read(Page.ROOT.resolve("docs/guide/jdk-locks.md"));
        List<String> rows = page.lines().stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| | ") && !line.startsWith("| **"))
                .toList();

        assertThat(rows).hasSizeGreaterThan(15).allSatisfy(row -> {
            Matcher found = cited.matcher(row);
            assertThat(found.find()).as("names a contract: %s", row).isTrue();
            Path contract = Page.ROOT.resolve("holdfast-tck/src/main/java/io/holdfast/tck/" + found.group(1) + ".java");
            assertThat(Files.readString(contract)).as(row).contains(" void " + found.group(2) + "(");
        });
    }

    /** The words of the glossary are those of the code. */
    @Test
    void types_ofTheGlossary_areInTheSources() throws IOException {
        Pattern type = Pattern.compile("`([a-z.]*)([A-Z]\\w+)(?:\\.\\w+)?(?:\\(\\))?`");
        List<String> sources;
        try (Stream<Path> files = Files.walk(Page.ROOT)) {
            sources = files.map(Path::toString)
                    .filter(file -> file.contains("/src/main/java/io/holdfast/"))
                    .toList();
        }

        assertThat(Page.read(Page.ROOT.resolve("docs/glossary.md")).lines())
                .flatMap(line -> type.matcher(line).results().toList())
                .hasSizeGreaterThan(50)
                .extracting(found -> "/" + found.group(1).replace('.', '/') + found.group(2) + ".java")
                .filteredOn(file -> sources.stream().noneMatch(source -> source.endsWith(file)))
                .isEmpty();
    }

    /** Also where they are only mentioned. */
    @Test
    void programsAndExamples_ofEveryPage_areThere() {
        Pattern mention = Pattern.compile("`(?:\\./|(?=bin/))((?:bin/)?[a-z-]+)|`examples/run ([A-Z]\\w+)");

        assertThat(pages)
                .flatMap(page -> page.lines())
                .flatMap(line -> mention.matcher(line).results().toList())
                .hasSizeGreaterThan(20)
                .extracting(found -> found.group(1) != null
                        ? found.group(1)
                        : "examples/src/main/java/io/holdfast/examples/" + found.group(2) + ".java")
                .filteredOn(file -> !Files.exists(Page.ROOT.resolve(file)))
                .isEmpty();
    }

    @Test
    void root_ofTheRepository_hasOnlyWhatAVisitorNeeds() throws IOException {
        try (Stream<Path> files = Files.list(Page.ROOT)) {
            assertThat(files.filter(Files::isRegularFile))
                    .extracting(file -> file.getFileName().toString())
                    .filteredOn(name -> !name.startsWith("."))
                    .containsExactlyInAnyOrder(
                            "CHANGELOG.md",
                            "CONTRIBUTING.md",
                            "LICENSE",
                            "README.md",
                            "README.zh-CN.md",
                            "SECURITY.md",
                            "holdfast",
                            "pom.xml");
        }
    }
}
