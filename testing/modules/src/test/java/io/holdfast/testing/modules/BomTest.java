package io.holdfast.testing.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM has no parent to take its version from, so this keeps them in step. */
class BomTest {
    private static final Path ROOT = Path.of("..", "..");

    /** The first one in the file: its own, as neither has a parent. */
    private static String version(Path pom) throws IOException {
        return first(pom, "<version>([^<]*)</version>");
    }

    private static String first(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(file))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void bom_version_isThatOfTheParent() throws IOException {
        assertThat(version(ROOT.resolve("holdfast-bom/pom.xml"))).isEqualTo(version(ROOT.resolve("pom.xml")));
    }

    @Test
    void bom_modules_areThoseThatArePublished() throws IOException {
        Set<String> listed = Pattern.compile("<artifactId>(holdfast-[a-z0-9-]+)</artifactId>")
                .matcher(Files.readString(ROOT.resolve("holdfast-bom/pom.xml")))
                .results()
                .map(result -> result.group(1))
                .filter(name -> !name.equals("holdfast-bom"))
                .collect(Collectors.toCollection(TreeSet::new));
        try (Stream<Path> folders = Files.list(ROOT)) {
            List<String> published = folders.filter(BomTest::isPublished)
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
            assertThat(List.copyOf(listed)).isEqualTo(published);
        }
    }

    private static boolean isPublished(Path folder) {
        Path pom = folder.resolve("pom.xml");
        String name = folder.getFileName().toString();
        try {
            return name.startsWith("holdfast-")
                    && !name.equals("holdfast-bom")
                    && Files.exists(pom)
                    && !Files.readString(pom).contains("<maven.deploy.skip>true");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
