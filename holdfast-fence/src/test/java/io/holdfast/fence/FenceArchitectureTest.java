package io.holdfast.fence;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No driver, no client, and nothing of the engine: a fence works for leases of any store. */
class FenceArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(JdbcFence.class);

    @Test
    void fence_knowsTheApiAndTheJdkOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations", "io.holdfast", "io.holdfast.fence")
                .check(MAIN);
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }

    @Test
    void publicTypes_areTheseOnly() {
        assertThat(MAIN.stream()
                        .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(each -> each.getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(
                        Set.of("FenceEntry", "JdbcFence", "RedisFence", "RedisScriptRunner", "StaleTokenException"));
    }
}
