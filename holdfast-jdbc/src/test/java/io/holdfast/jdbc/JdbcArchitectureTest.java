package io.holdfast.jdbc;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rules over rows, a backend over both, and nothing looks up the stairs. */
class JdbcArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(JdbcLocks.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
    }

    @Test
    void packages_knowWhatIsBelowThem() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("door")
                .definedBy("io.holdfast.jdbc")
                .layer("backend")
                .definedBy("io.holdfast.jdbc.backend")
                .layer("database")
                .definedBy("io.holdfast.jdbc.database")
                .layer("record")
                .definedBy("io.holdfast.jdbc.record")
                .whereLayer("door")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("backend")
                .mayOnlyBeAccessedByLayers("door")
                .whereLayer("database")
                .mayOnlyBeAccessedByLayers("door", "backend")
                .check(main);
    }

    @Test
    void classes_formNoCycle() {
        assertThat(ClassCycles.among(main)).isEmpty();
    }

    @Test
    void clocks_areReadThroughTheTimeSource() {
        LibraryRules.clocksAreReadThroughTheTimeSource(main);
    }

    @Test
    void monitors_areNotUsed() throws IOException {
        LibraryRules.monitorsAreNotUsed(main, Path.of("src/main/java"));
    }

    @Test
    void exportedTypes_sayWhatTheyAre() throws IOException {
        LibraryRules.exportedTypesSayWhatTheyAre(Path.of("src/main/java"));
    }
}
