package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.TestRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same class files, compiled against Spring 7, on Spring 6.2 and Spring Integration 6.5. */
@Tag("integration")
@Tag("full")
class OldestSpringIT {
    private static final Path JARS = Path.of("target", "oldest-spring");
    private static final Pattern JAR = Pattern.compile("(.+?)-\\d.*\\.jar");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static String artifact(Path jar) {
        Matcher name = JAR.matcher(jar.getFileName().toString());
        return name.matches() ? name.group(1) : jar.toString();
    }

    /** Puts the older jars in the place of the newer ones. */
    private static List<String> older(List<String> entries) {
        try (Stream<Path> files = Files.list(JARS)) {
            List<Path> jars = files.toList();
            assertThat(jars).as("%s, from the build", JARS).hasSizeGreaterThan(10);
            Set<String> replaced = jars.stream().map(OldestSpringIT::artifact).collect(Collectors.toSet());
            List<String> older =
                    new ArrayList<>(jars.stream().map(Path::toString).toList());
            entries.stream()
                    .filter(each -> !replaced.contains(artifact(Path.of(each))))
                    .filter(each -> !each.contains("/spring-security-")) // of Spring 7, and not tested here
                    .forEach(older::add);
            assertThat(older).noneMatch(each -> each.matches(".*/spring-[a-z-]+-7.*"));
            return older;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sameClassFiles_passTheTests() {
        assertThat(TestRun.green(
                        "oldest-spring",
                        OldestSpringIT::older,
                        "!full",
                        PATIENCE,
                        List.of(
                                "class:io.holdfast.spring.LockedTest",
                                "class:io.holdfast.spring.TransactionsTest",
                                "class:io.holdfast.spring.ReentryTest",
                                "class:io.holdfast.spring.TwoDataSourcesTest",
                                "class:io.holdfast.spring.WithoutThreadsTest",
                                "class:io.holdfast.spring.ReactiveTransactionsTest",
                                "class:io.holdfast.spring.StartChecksTest",
                                "class:io.holdfast.spring.SelfCallTest",
                                "class:io.holdfast.spring.DoubleSaleTest",
                                "class:io.holdfast.spring.ScheduledJobsTest",
                                "class:io.holdfast.spring.JpaTest",
                                "class:io.holdfast.spring.event.LockEventPublisherTest",
                                "class:io.holdfast.spring.leader.LeaderOnlyTest",
                                "class:io.holdfast.spring.shedlock.HoldfastLockProviderTest",
                                "class:io.holdfast.spring.integration.AdaptersOnRedisIT")))
                .isGreaterThan(80);
    }
}
