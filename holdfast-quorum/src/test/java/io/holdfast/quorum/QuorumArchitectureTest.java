package io.holdfast.quorum;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.engine.LockEngine;
import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A quorum is made of backends, whatever they are. */
class QuorumArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(QuorumLocks.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
    }

    @Test
    void redis_isKnownByTheBuilderOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocksBuilder.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.holdfast.redis..", "redis.clients..")
                .check(main);
    }

    @Test
    void engine_isEnteredByItsDoorOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocks.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LockEngine.class.getPackageName())
                .check(main);
    }

    /** Only a type and its builder may know each other. */
    @Test
    void classes_dependencies_noCycles() {
        assertThat(ClassCycles.among(main)).isEmpty();
    }

    @Test
    void clocks_areReadThroughTheTimeSourceOnly() {
        LibraryRules.clocksAreReadThroughTheTimeSource(main);
    }

    @Test
    void monitors_areNotUsed() throws IOException {
        LibraryRules.monitorsAreNotUsed(main, Path.of("src/main/java"));
    }
}
