package io.holdfast.quorum;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.engine.LockEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A quorum is made of backends, whatever they are. */
class QuorumArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(QuorumLocks.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
    }

    @Test
    void redis_isKnownByTheBuilderOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocksBuilder.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.holdfast.redis..", "redis.clients..")
                .check(main);
    }

    @Test
    void engine_isEnteredByItsDoorOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(QuorumLocks.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LockEngine.class.getPackageName())
                .check(main);
    }
}
