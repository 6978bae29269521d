package io.holdfast.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TestingArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(FaultyBackend.class);

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }

    /** So that it fits into any build of tests, whichever framework and version that has. */
    @Test
    void tools_anyClass_needTheCoreAndTheJdkAlone() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.holdfast",
                        "io.holdfast.spi",
                        "io.holdfast.engine",
                        "io.holdfast.testing",
                        "java..",
                        "org.jspecify..")
                .check(MAIN);
    }
}
