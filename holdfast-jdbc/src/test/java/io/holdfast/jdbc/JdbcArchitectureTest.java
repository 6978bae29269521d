package io.holdfast.jdbc;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Rules over rows, a backend over both, and nothing looks up the stairs. */
class JdbcArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(JdbcLocks.class);

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
                .check(MAIN);
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }
}
