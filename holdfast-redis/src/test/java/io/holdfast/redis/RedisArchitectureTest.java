package io.holdfast.redis;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.engine.LockEngine;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Locks over a narrow port over Jedis; no class knows a higher layer. */
class RedisArchitectureTest {
    private static final String ROOT = "io.holdfast.redis";
    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(RedisLocks.class);

    @Test
    void jedis_isKnownByItsAdapterOnly_andThatByTheOneWhoChooses() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.holdfast.redis.jedis")
                .and()
                .doNotHaveFullyQualifiedName(Drivers.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "org.apache.commons..", "io.holdfast.redis.jedis")
                .check(MAIN);
    }

    /** It is not on a user's class path, unless they want it themselves. */
    @Test
    void commonsPool_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.commons..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("redis.clients.jedis.ConnectionPool")
                .check(MAIN);
    }

    @Test
    void port_knowsNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage(RedisDriver.class.getPackageName())
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..", "javax.net..", "org.jspecify.annotations", RedisDriver.class.getPackageName())
                .check(MAIN);
    }

    @Test
    void adapter_knowsNothingOfLocks() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".jedis")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "javax.net..",
                                "org.jspecify.annotations",
                                "redis.clients..",
                                ROOT + ".driver",
                                ROOT + ".jedis")
                        .or(type(TimeSource.class)))
                .check(MAIN);
    }

    /** Each package knows those below it, and no other. */
    @Test
    void rooms_knowThoseBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("door")
                .definedBy(ROOT)
                .layer("doctor")
                .definedBy(ROOT + ".doctor")
                .layer("backend")
                .definedBy(ROOT + ".backend")
                .layer("servers")
                .definedBy(ROOT + ".servers")
                .layer("protocol")
                .definedBy(ROOT + ".protocol")
                .layer("settings")
                .definedBy(ROOT + ".settings")
                .whereLayer("door")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("doctor")
                .mayOnlyBeAccessedByLayers("door")
                .whereLayer("backend")
                .mayOnlyBeAccessedByLayers("door")
                .whereLayer("servers")
                .mayOnlyBeAccessedByLayers("backend", "door")
                .whereLayer("protocol")
                .mayOnlyBeAccessedByLayers("servers", "backend", "doctor")
                .whereLayer("settings")
                .mayOnlyBeAccessedByLayers("protocol", "servers", "backend", "doctor", "door")
                .check(MAIN);
    }

    @Test
    void rooms_eachSaysWhatItMayTouch() {
        assertThat(MAIN.stream()
                        .filter(each -> each.getSimpleName().equals("package-info"))
                        .map(JavaClass::getPackageName))
                .containsExactlyInAnyOrder(
                        ROOT,
                        ROOT + ".backend",
                        ROOT + ".doctor",
                        ROOT + ".driver",
                        ROOT + ".jedis",
                        ROOT + ".protocol",
                        ROOT + ".servers",
                        ROOT + ".settings");
    }

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(MAIN, Path.of("src/main/java"));
    }

    @Test
    void engine_isEnteredByItsDoorOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(RedisLocks.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LockEngine.class.getPackageName())
                .check(MAIN);
    }
}
