package io.holdfast.fence;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.testing.architecture.ClassCycles;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No driver, no client, and nothing of the engine: a fence works for leases of any store. */
class FenceArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(JdbcFence.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
    }

    @Test
    void fence_knowsTheApiAndTheJdkOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations", "io.holdfast", "io.holdfast.fence")
                .check(main);
    }

    @Test
    void classes_dependencies_noCycles() {
        assertThat(ClassCycles.among(main)).isEmpty();
    }

    @Test
    void publicTypes_areTheseOnly() {
        assertThat(main.stream()
                        .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(each -> each.getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(
                        Set.of("FenceEntry", "JdbcFence", "RedisFence", "RedisScriptRunner", "StaleTokenException"));
    }
}
