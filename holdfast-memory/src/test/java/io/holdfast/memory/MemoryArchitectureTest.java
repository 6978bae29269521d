package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.testing.architecture.ClassCycles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryArchitectureTest {

    @Test
    void classes_dependencies_noCycles() {
        JavaClasses main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(MemoryStore.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));

        assertThat(ClassCycles.among(main)).isEmpty();
    }
}
