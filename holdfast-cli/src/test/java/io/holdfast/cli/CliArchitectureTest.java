package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Commands over what they are made of, and nothing looks up the stairs. */
class CliArchitectureTest {
    private static final JavaClasses MAIN = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void packages_haveNoCycle() {
        slices().matching("io.holdfast.(cli..)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void redis_isUsedThroughTheLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.holdfast.cli.embedded")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "io.holdfast.redis.driver..", "io.holdfast.redis.jedis..")
                .check(MAIN);
    }
}
