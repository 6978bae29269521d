package io.holdfast.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.engine.LockEngine;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.jedis.JedisDriver;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Locks over a narrow port over Jedis, and nothing looks up the stairs. */
class RedisArchitectureTest {
    private static JavaClasses main;

    @BeforeAll
    static void readClasses() {
        main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPath(Path.of(RedisLocks.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()));
    }

    @Test
    void jedis_isKnownByItsAdapterAndTheBuilderOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.holdfast.redis.jedis")
                .and()
                .doNotHaveFullyQualifiedName(RedisLocksBuilder.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..", "org.apache.commons..", "io.holdfast.redis.jedis")
                .check(main);
    }

    /** It is not on the class path of whoever uses this, unless they want it for themselves. */
    @Test
    void commonsPool_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.commons..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("redis.clients.jedis.ConnectionPool")
                .check(main);
    }

    @Test
    void port_knowsNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage(RedisDriver.class.getPackageName())
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations", RedisDriver.class.getPackageName())
                .check(main);
    }

    @Test
    void adapter_knowsNothingOfLocks() {
        noClasses()
                .that()
                .resideInAPackage(JedisDriver.class.getPackageName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.holdfast", "io.holdfast.spi", "io.holdfast.engine", "io.holdfast.redis")
                .check(main);
    }

    @Test
    void engine_isEnteredByItsDoorOnly() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(RedisLocks.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(LockEngine.class.getPackageName())
                .check(main);
    }
}
