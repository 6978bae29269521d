package io.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VulnerabilitiesTest {
    private static final Path SBOM = Path.of("src/test/resources/sbom.json");
    private static final Path ADVISORIES = Path.of("src/test/resources/advisories.json");

    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();

    private int look(Path sbom, Path advisories) {
        return Vulnerabilities.run(List.of("--sbom", sbom.toString(), advisories.toString()), said::add);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void library_thatIsAffected_isNamedWithTheAdvisory() {
        assertThat(look(SBOM, ADVISORIES)).isEqualTo(1);
        assertThat(said)
                .containsExactly(
                        "org.acme:anvil 1.10.0: MADE-UP-1 An anvil falls on whoever asks for it.",
                        "1 found: 2 libraries, 2 advisories");
    }

    /** The events of a range, and whether 1.10.0 is in it. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '\'', delimiter = '|', textBlock = """
                    {"introduced": "0"}                                                               | 1
                    {"introduced": "1.10.0"}                                                          | 1
                    {"introduced": "1.10.1"}                                                          | 0
                    {"introduced": "0"}, {"fixed": "1.10.0"}                                          | 0
                    {"introduced": "0"}, {"fixed": "1.9.9"}                                           | 0
                    {"introduced": "0"}, {"last_affected": "1.10.0"}                                  | 1
                    {"introduced": "0"}, {"last_affected": "1.9.9"}                                   | 0
                    {"introduced": "0"}, {"fixed": "1.8"}, {"introduced": "1.9"}                      | 1
                    {"introduced": "1.10.0-rc1"}, {"fixed": "1.10.0"}                                 | 0
                    """)
    void range_ofVersions_isReadAsMavenOrdersThem(String events, int expected) throws IOException {
        Path advisories = file("range.json", """
                {"id": "X", "affected": [{"package": {"ecosystem": "Maven", "name": "org.acme:anvil"},
                  "ranges": [{"type": "ECOSYSTEM", "events": [%s]}]}]}
                """.formatted(events));

        assertThat(look(SBOM, advisories)).as(said.toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"versions\": [\"1.10.0\"]', 1",
        "'\"versions\": [\"1.1\"]', 0",
        "'\"ranges\": [{\"type\": \"GIT\", \"events\": [{\"introduced\": \"0\"}]}]', 0"
    })
    void versions_oneByOne_areTheOnlyOnes(String which, int expected) throws IOException {
        Path advisories = file(
                "list.json",
                "[{\"id\": \"X\", \"affected\": [{\"package\": {\"ecosystem\": \"Maven\", \"name\": \"org.acme:anvil\"}, "
                        + which + "}]}]");

        assertThat(look(SBOM, advisories)).as(said.toString()).isEqualTo(expected);
    }

    @Test
    void advisory_thatWasWithdrawn_affectsNothing() throws IOException {
        String text = Files.readString(ADVISORIES).replace("\"id\"", "\"withdrawn\": \"2026-01-01T00:00:00Z\", \"id\"");

        assertThat(look(SBOM, file("withdrawn.json", text))).isZero();
    }

    @Test
    void zip_ofAdvisories_isReadWhole() throws IOException {
        Path zip = folder.resolve("all.zip");
        try (OutputStream file = Files.newOutputStream(zip);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (String name : List.of("a.json", "b.json")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(Files.readAllBytes(ADVISORIES));
            }
        }

        assertThat(look(SBOM, zip)).isEqualTo(1);
        assertThat(said).last().isEqualTo("2 found: 2 libraries, 4 advisories");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"vulns\": []}", "not json {", "3"})
    void file_withoutAdvisories_isNotGoodNews(String text) throws IOException {
        assertThat(look(SBOM, file("odd.json", text))).as(said.toString()).isEqualTo(2);
    }

    @Test
    void list_withoutLibraries_isNotGoodNews() throws IOException {
        assertThat(look(file("empty.json", "{\"bomFormat\": \"CycloneDX\"}"), ADVISORIES))
                .isEqualTo(2);
        assertThat(look(ADVISORIES, ADVISORIES)).isEqualTo(2);
        assertThat(look(folder.resolve("none.json"), ADVISORIES)).isEqualTo(2);
        assertThat(Vulnerabilities.run(List.of(), said::add)).isEqualTo(2);
    }

    @Test
    void licences_thatThePageSaysWrong_areNamed() throws IOException {
        String page = "| `org.acme:anvil` | MIT | hard |\n| `org.acme:rocket` | EPL-2.0 or Public Domain | fast |\n";

        assertThat(Licences.wrong(Library.allOf(SBOM), page)).isEmpty();
        assertThat(Licences.wrong(Library.allOf(SBOM), page.replace("MIT", "GPL-3.0")))
                .containsExactly("org.acme:anvil has the licence MIT, and the page says GPL-3.0");
    }
}
