package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;

/** Each difference from the JDK's locks that the guide names is shown by a test that exists. */
class JdkTableTest {
    private static final Path TABLE = Path.of("../docs/guide/jdk-locks.md");
    private static final Pattern SHOWN = Pattern.compile("`(\\w+Contract)\\.(\\w+)` \\|$");

    @Test
    void table_everyRow_namesATestThatExists() throws IOException, ClassNotFoundException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            if (line.startsWith("| ") && !line.startsWith("| |") && !line.startsWith("| **")) {
                Matcher shown = SHOWN.matcher(line);
                assertThat(shown.find()).as("a test in the row %s", line).isTrue();
                Class<?> contract = Class.forName("io.holdfast.tck." + shown.group(1));
                String test = shown.group(2);
                assertThat(Arrays.stream(contract.getDeclaredMethods())
                                .filter(method ->
                                        isAnnotated(method, Test.class) || isAnnotated(method, TestTemplate.class))
                                .map(method -> method.getName()))
                        .as("tests of %s", shown.group(1))
                        .contains(test);
                rows.add(test);
            }
        }
        assertThat(rows).hasSizeGreaterThan(15);
    }
}
