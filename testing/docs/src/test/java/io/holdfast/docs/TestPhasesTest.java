package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/**
 * Every test of the repository runs, and runs once: in the phase "test", or in "integration-test" if its class is
 * tagged so. That no test of the first kind starts a server is seen to by the servers, which refuse.
 */
class TestPhasesTest {
    private static final Pattern TEST_METHOD = Pattern.compile(
            "^    @(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b", Pattern.MULTILINE);
    private static final Pattern CLASS =
            Pattern.compile("^(?:(?:public|final|sealed) )*class (\\w+)", Pattern.MULTILINE);
    private static final String TAG = "@Tag(\"integration\")";

    /** A file of test code. */
    private record Source(Path file, String text) {
        String name() {
            return file.getFileName().toString().replaceAll("\\.(java|kt)$", "");
        }

        @Override
        public String toString() {
            return Page.ROOT.relativize(file).toString();
        }
    }

    private static List<Source> sources() throws IOException {
        return sources("/src/test(-\\w+)?/(java|kotlin)/");
    }

    private static List<Source> sources(String folder) throws IOException {
        Pattern wanted = Pattern.compile(folder + ".*\\.(java|kt)$");
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Page.ROOT)) {
            for (Path file :
                    files.filter(each -> wanted.matcher(each.toString()).find()).toList()) {
                sources.add(new Source(file, Files.readString(file)));
            }
        }
        return sources;
    }

    @Test
    void sources_ofAllFoldersAndLanguages_areSeen() throws IOException {
        assertThat(sources()).extracting(Source::name).contains("TestPhasesTest", "MasterReplicaTest", "SuspendTest");
    }

    @Test
    void classWithTests_hasANameThatTheBuildLooksFor() throws IOException {
        assertThat(sources())
                .filteredOn(source -> TEST_METHOD.matcher(source.text).find())
                .filteredOn(source -> CLASS.matcher(source.text).find())
                .hasSizeGreaterThan(150)
                .filteredOn(source ->
                        !source.name().endsWith("Test") && !source.name().endsWith("IT"))
                .isEmpty();
    }

    @Test
    void tag_standsOnWholeClassesOnly_andOnEveryIT() throws IOException {
        assertThat(sources())
                .filteredOn(source -> Pattern.compile("^ +@Tag\\(\"integration\"\\)", Pattern.MULTILINE)
                        .matcher(source.text)
                        .find())
                .isEmpty();
        assertThat(sources())
                .filteredOn(source -> source.name().endsWith("IT"))
                .hasSizeGreaterThan(20)
                .filteredOn(source -> !source.text.contains("\n" + TAG + "\n"))
                .isEmpty();
    }

    @Test
    void phases_lookAtTheSameClasses_andPartThemByTheTag() throws Exception {
        Document pom = read(Page.ROOT.resolve("pom.xml"));
        String unit = "//pluginManagement//plugin[artifactId='maven-surefire-plugin']"
                + "/executions/execution[id='default-test']/configuration/";
        String integration = "//pluginManagement//plugin[artifactId='maven-failsafe-plugin']/configuration/";

        assertThat(text(pom, unit + "groups")).isEqualTo("(${holdfast.tests}) & !integration");
        assertThat(text(pom, integration + "groups")).isEqualTo("(${holdfast.tests}) & integration");
        assertThat(text(pom, unit + "includes"))
                .isEqualTo("**/*Test.java **/*IT.java")
                .isEqualTo(text(pom, integration + "includes"));
        assertThat(text(pom, unit + "excludes"))
                .isEqualTo("**/*VirtualThreadTest.java")
                .isEqualTo(text(pom, integration + "excludes"));
        assertThat(text(pom, "/project/properties/holdfast.tests")).isEqualTo("!full");
        assertThat(text(pom, "//profile[id='full']/properties/holdfast.tests")).isEqualTo("full & !ubuntu");
    }

    @Test
    void modules_changeNothingAboutThat() throws Exception {
        Document parent = read(Page.ROOT.resolve("pom.xml"));
        List<String> modules =
                new ArrayList<>(List.of(text(parent, "/project/modules").split(" ", -1)));
        modules.addAll(List.of(text(parent, "//profile[id='full']/modules").split(" ", -1)));

        assertThat(modules).hasSizeGreaterThan(10).contains("testing/spring-boot40");
        for (String module : modules) {
            Document pom = read(Page.ROOT.resolve(module).resolve("pom.xml"));
            for (String name : List.of("groups", "excludedGroups", "includes", "excludes", "skip", "skipTests")) {
                assertThat(text(
                                pom,
                                "//plugin[artifactId='maven-surefire-plugin' or artifactId='maven-failsafe-plugin']//"
                                        + name))
                        .as("%s of %s", name, module)
                        .isEmpty();
            }
        }
    }

    /** What a store or a machine cannot do is not generated. A test that is skipped looks as if it had been green. */
    @Test
    void tests_areNeverSkipped() throws IOException {
        Pattern skipping =
                Pattern.compile("Assumptions\\b|\\bassum(?:e|ing)[A-Z]\\w*\\(|^ *@(?:Dis|En)abled", Pattern.MULTILINE);

        assertThat(sources("/src/"))
                .filteredOn(source -> skipping.matcher(source.text).find())
                .extracting(Source::name)
                .containsExactly("TestPhasesTest");
    }

    /** Those need a newer JDK, so neither phase takes them. */
    @Test
    void virtualThreadTests_areInModulesThatRunThemOnTheNewerJdk() throws IOException {
        assertThat(sources())
                .filteredOn(source -> source.name().endsWith("VirtualThreadTest"))
                .isNotEmpty()
                .allSatisfy(source -> {
                    String path = source.file.toString();
                    Path list = Path.of(path.substring(0, path.indexOf("/src/test/")), "src/test/jdk25.txt");
                    assertThat(list).content().contains("**/*VirtualThreadTest.java");
                });
    }

    private static Document read(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    }

    /** What stands in an element, its lines joined; empty if there is no such element. */
    private static String text(Document pom, String path) throws Exception {
        XPath xpath = XPathFactory.newInstance().newXPath();
        return xpath.evaluate("normalize-space(" + path + ")", pom);
    }
}
