package io.holdfast.redis.lettuce;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LettuceArchitectureTest {
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(LettuceDriver.class);

    @Test
    void adapter_knowsNothingOfLocks() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "javax.net..",
                                "org.jspecify.annotations",
                                "io.lettuce..",
                                "io.netty..",
                                "io.holdfast.redis.driver",
                                "io.holdfast.redis.lettuce")
                        .or(type(TimeSource.class)))
                .check(MAIN);
    }

    /** It is loaded where Lettuce is not. */
    @Test
    void provider_namesNoTypeOfLettuce() {
        noClasses()
                .that()
                .haveFullyQualifiedName(LettuceProvider.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "io.netty..")
                .check(MAIN);
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }
}
