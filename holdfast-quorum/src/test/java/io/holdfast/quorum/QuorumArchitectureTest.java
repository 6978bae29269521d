package io.holdfast.quorum;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.engine.LockEngine;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A quorum is made of backends, whatever they are. */
class QuorumArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(QuorumLocks.class);

    @Test
    void redis_isKnownByTheBuilderOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocksBuilder.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.holdfast.redis..", "redis.clients..")
                .check(MAIN);
    }

    @Test
    void engine_isEnteredByItsDoorOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocks.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LockEngine.class.getPackageName())
                .check(MAIN);
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }
}
