package io.holdfast.zookeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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

/** A line that knows nothing, a backend over it, and nothing looks up the stairs. */
class ZooKeeperArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(ZooKeeperLocks.class
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
                .definedBy("io.holdfast.zookeeper")
                .layer("backend")
                .definedBy("io.holdfast.zookeeper.backend")
                .layer("line")
                .definedBy("io.holdfast.zookeeper.line")
                .whereLayer("door")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("backend")
                .mayOnlyBeAccessedByLayers("door")
                .whereLayer("line")
                .mayOnlyBeAccessedByLayers("backend")
                .check(main);
    }

    /** So that another store with ordered children can use it. */
    @Test
    void line_knowsNothingOfZooKeeper() {
        noClasses()
                .that()
                .resideInAPackage("io.holdfast.zookeeper.line")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache..", "io.holdfast.engine..")
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
}
