package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(MemoryStore.class);

    @Test
    void classes_dependencies_noCycles() {
        assertThat(ClassCycles.among(MAIN)).isEmpty();
    }

    @Test
    void clocks_areReadThroughTheTimeSourceOnly() {
        LibraryRules.clocksAreReadThroughTheTimeSource(MAIN);
    }

    @Test
    void monitors_areNotUsed() throws IOException {
        LibraryRules.monitorsAreNotUsed(MAIN, Path.of("src/main/java"));
    }
}
