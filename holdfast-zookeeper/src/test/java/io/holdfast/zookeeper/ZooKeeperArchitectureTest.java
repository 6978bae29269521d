package io.holdfast.zookeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A line that knows nothing, a backend over it, and nothing looks up the stairs. */
class ZooKeeperArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(ZooKeeperLocks.class);

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
                .check(MAIN);
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
                .check(MAIN);
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"), "io.holdfast.zookeeper");
    }
}
