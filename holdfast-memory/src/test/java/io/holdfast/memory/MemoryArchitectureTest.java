package io.holdfast.memory;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.tck.BackendContract;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(MemoryStore.class);

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }

    /** The kit is a library, too; its own tests do without ArchUnit. */
    @Test
    void laws_ofEveryLibrary_areObeyedByTheKit() throws IOException {
        JavaClasses kit = LibraryRules.mainClassesBeside(BackendContract.class);

        LibraryRules.areObeyed(kit, Path.of("..", "holdfast-tck", "src", "main", "java"));
    }
}
