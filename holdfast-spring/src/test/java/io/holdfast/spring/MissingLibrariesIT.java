package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.TestRun;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is optional may be missing: the same tests in a JVM that does not have it. */
@Tag("integration")
class MissingLibrariesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static int green(String name, List<String> missing, String... selectors) {
        for (String each : missing) {
            assertThat(TestRun.classPath())
                    .as("what is to be left out")
                    .anyMatch(entry -> entry.matches(".*" + each + ".*"));
        }
        return TestRun.green(
                name,
                entries -> entries.stream()
                        .filter(entry -> missing.stream().noneMatch(each -> entry.matches(".*" + each + ".*")))
                        .toList(),
                "!full",
                PATIENCE,
                Arrays.asList(selectors));
    }

    @Test
    void nothingButSpringContext_locks() {
        assertThat(green(
                        "plain",
                        List.of(
                                "/reactor-core",
                                "/reactive-streams",
                                "/spring-(tx|jdbc|r2dbc|orm|integration-core|messaging)-",
                                "/holdfast-fence",
                                "/shedlock-core"),
                        "class:io.holdfast.spring.LockedTest"))
                .isGreaterThan(15);
    }

    @Test
    @Tag("full")
    void noTransactions_publishersAndFuturesLock() {
        assertThat(green(
                        "reactive",
                        List.of("/spring-(tx|jdbc|r2dbc|orm)-", "/holdfast-fence"),
                        "class:io.holdfast.spring.WithoutThreadsTest"))
                .isGreaterThan(10);
    }

    @Test
    @Tag("full")
    void noReactor_transactionsLock() {
        assertThat(green(
                        "transactions",
                        List.of("/reactor-core", "/reactive-streams", "/spring-r2dbc-", "/r2dbc-"),
                        "class:io.holdfast.spring.TransactionsTest",
                        "class:io.holdfast.spring.StartChecksTest"))
                .isGreaterThan(15);
    }
}
