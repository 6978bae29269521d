package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the formatter does not see to in the sources of all modules. */
class SourcesTest {
    private static final int COLUMNS = 120;
    private static final int MOST_LINES = 400;
    private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\"\n.*?\"\"\"", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern COMMENT = Pattern.compile("^\\s*(?:/?\\*|//).*");

    /** A long text in quotes may be easier to read in one piece; comments and code have no such excuse. */
    @Test
    void lines_ofCommentsAndCode_fitInto120Columns() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path file : sources("/src/")) {
            String text = TEXT_BLOCK.matcher(Files.readString(file)).replaceAll(block -> "\"\"");
            text.lines()
                    .map(line -> COMMENT.matcher(line).matches()
                            ? line
                            : LITERAL.matcher(line).replaceAll("\"\""))
                    .filter(line -> line.length() > COLUMNS)
                    .forEach(line -> wide.add(Page.ROOT.relativize(file) + ": " + line.strip()));
        }

        assertThat(wide).isEmpty();
    }

    @Test
    void files_ofMainCode_haveAtMost400Lines() throws IOException {
        assertThat(sources("/src/main/java/")).hasSizeGreaterThan(300).allSatisfy(file -> {
            try (Stream<String> lines = Files.lines(file)) {
                assertThat(lines.count()).isLessThanOrEqualTo(MOST_LINES);
            }
        });
    }

    private static List<Path> sources(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(Page.ROOT)) {
            return files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> each.toString().contains(folder))
                    .filter(each -> !each.toString().contains("/target/"))
                    .toList();
        }
    }
}
