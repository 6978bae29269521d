package io.holdfast.spring.boot3;

import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The starter has no tests of its own. */
class Boot3ArchitectureTest {

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(
                LibraryRules.mainClassesBeside(HealthOfBoot3AutoConfiguration.class),
                Path.of("..", "..", "holdfast-spring-boot3-starter", "src", "main", "java"),
                "io.holdfast.spring.boot3");
    }
}
