package io.holdfast.spring.boot.test;

import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Also for holdfast-spring-boot, whose own tests are run on several versions of Boot. */
class SpringBootArchitectureTest {

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(
                LibraryRules.mainClassesBeside(HoldfastTester.class),
                Path.of("src/main/java"),
                "io.holdfast.spring.boot.test");
    }

    @Test
    void laws_ofEveryLibrary_areObeyedByTheAutoConfiguration() throws IOException {
        LibraryRules.areObeyed(
                LibraryRules.mainClassesBeside(HoldfastAutoConfiguration.class),
                Path.of("..", "holdfast-spring-boot", "src", "main", "java"),
                "io.holdfast.spring.boot");
    }
}
