package io.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.engine.EngineRuntime;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The stairs of the house: engine on spi on api, and who may look at a clock or start a thread. */
class ArchitectureTest {
    private static final String API = "io.holdfast";
    private static final String SPI = "io.holdfast.spi";
    private static final String ENGINE = "io.holdfast.engine";
    private static final String[] JDK_AND_ANNOTATIONS = {"java..", "org.jspecify.annotations"};

    private static final JavaClasses MAIN = LibraryRules.mainClassesBeside(LockClient.class);

    // ---- layers

    @Test
    void layers_engineOverSpiOverApi_noOtherWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy(API)
                .layer("spi")
                .definedBy(SPI)
                .layer("engine")
                .definedBy(ENGINE)
                .whereLayer("engine")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("spi")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("api")
                .mayOnlyBeAccessedByLayers("spi", "engine")
                .check(MAIN);
    }

    @Test
    void packages_dependencies_noCycles() {
        slices().matching("(io.holdfast..)").should().beFreeOfCycles().check(MAIN);
    }

    /** A newcomer must be able to read the engine from the bottom to the top. */
    @Test
    void classes_dependencies_noCycles() {
        assertThat(ClassCycles.among(MAIN)).isEmpty();
    }

    @Test
    void packages_all_oneOfThree() {
        classes().should().resideInAnyPackage(API, SPI, ENGINE).check(MAIN);
    }

    @Test
    void api_dependencies_jdkAndAnnotationsOnly() {
        classes()
                .that()
                .resideInAPackage(API)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(API))
                .check(MAIN);
    }

    @Test
    void spi_dependencies_apiOnly() {
        classes()
                .that()
                .resideInAPackage(SPI)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(API, SPI))
                .check(MAIN);
    }

    @Test
    void engine_dependencies_spiAndApiOnly() {
        classes()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(API, SPI, ENGINE, "jdk.jfr"))
                .check(MAIN);
    }

    private static String[] with(String... packages) {
        return Stream.concat(Stream.of(JDK_AND_ANNOTATIONS), Stream.of(packages))
                .toArray(String[]::new);
    }

    // ---- what is public, and marked

    @Test
    void engine_publicTypes_onlyTheTwo() {
        classes()
                .that()
                .resideInAPackage(ENGINE)
                .and()
                .arePublic()
                .should()
                .be(LockEngine.class)
                .orShould()
                .be(EngineRuntime.class)
                .check(MAIN);
    }

    @Test
    void packages_all_nullMarked() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith(NullMarked.class)
                .check(MAIN);
        assertThat(MAIN.stream().filter(each -> each.getSimpleName().equals("package-info")))
                .hasSize(3);
    }

    // ---- time, threads, output

    @Test
    void clocks_onlyTheTimeSource_readsThem() {
        LibraryRules.clocksAreReadThroughTheTimeSource(
                MAIN.that(not(type(TimeSource.system().getClass()))));
    }

    @Test
    void threads_onlyTheRuntimeTheCandidacyAndRounds_startThem() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.holdfast.spi.Rounds")
                .and()
                .doNotHaveFullyQualifiedName("io.holdfast.engine.SystemRuntime")
                .and()
                .doNotHaveFullyQualifiedName("io.holdfast.engine.EngineCandidacy")
                .should()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class)
                .check(MAIN);
    }

    @Test
    void code_sleep_never() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .check(MAIN);
    }

    @Test
    void code_output_throughSystemLoggerOnly() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(MAIN);
    }

    // ---- monitors: they would pin virtual threads

    @Test
    void monitors_areNotUsed() throws IOException {
        LibraryRules.monitorsAreNotUsed(MAIN, Path.of("src/main/java"));
    }

    @Test
    void exportedTypes_sayWhatTheyAre() throws IOException {
        LibraryRules.exportedTypesSayWhatTheyAre(Path.of("src/main/java"));
    }
}
