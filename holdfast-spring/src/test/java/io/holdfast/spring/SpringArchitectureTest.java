package io.holdfast.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Nothing of a store, and nothing of the engine. */
class SpringArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(Locked.class);

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }

    @Test
    void stores_areNotKnown() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.redis..", "io.holdfast.jdbc..", "kotlin..")
                .check(MAIN);
    }
}
