package io.holdfast.quorum;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.engine.LockEngine;
import io.holdfast.testing.architecture.ClassCycles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
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
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(main);
    }

    /** What holds a monitor and blocks pins the carrier of a virtual thread before Java 24. */
    @Test
    void monitors_areNotUsed() throws IOException {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(main);
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            assertThat(files.filter(each -> each.toString().endsWith(".java")))
                    .isNotEmpty()
                    .allSatisfy(
                            file -> assertThat(Files.readString(file)).doesNotContainPattern("\\bsynchronized\\s*\\("));
        }
    }
}
