package io.holdfast.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spec.Configuration.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each protocol as specified is safe in every state, and each variant that leaves something out is found to be unsafe.
 */
@Tag("integration")
class SpecTest {
    private static final Path FOLDER = Path.of("..", "..", "docs", "spec");
    private static final Tlc TLC = new Tlc(2);

    /** The invariant that each variant must be seen to break, said a second time, so that a changed head is noticed. */
    private static final Map<String, String> UNSAFE = Map.ofEntries(
            Map.entry("UnsafeNoRaise", "TokensGrow"),
            Map.entry("UnsafeUnconditionalRaise", "TokensGrow"),
            Map.entry("UnsafeDeadlineBeforeRaise", "MutualExclusion"),
            Map.entry("UnsafeMarkerGuard", "MutualExclusion"),
            Map.entry("UnsafeNoGuard", "MutualExclusion"),
            Map.entry("UnsafeSmallMajority", "MutualExclusion"),
            Map.entry("UnsafeReassertAnywhere", "MutualExclusion"),
            Map.entry("UnsafeSessionOneWrite", "SessionLasts"),
            Map.entry("UnsafeSessionTwoWrites", "SessionLasts"),
            Map.entry("UnsafeSessionFromAnswer", "SessionLasts"),
            Map.entry("UnsafeSessionNoGap", "SessionLasts"),
            Map.entry("UnsafeSessionRead", "SessionLasts"),
            Map.entry("UnsafeLateHandOut", "MutualExclusion"),
            Map.entry("UnsafeLookAtOnce", "NothingLeft"),
            Map.entry("UnsafeNeverLook", "OneChild"),
            Map.entry("UnsafeListBefore", "MutualExclusion"),
            Map.entry("UnsafeNameKept", "MutualExclusion"));

    /**
     * What each safe model that is tested never does: what only unsafe variants do, and what needs restarts, renewals,
     * a third token, a second session or a second follower.
     */
    private static final Map<String, Set<String>> NEVER = Map.of(
            "TwoClients",
                    Set.of(
                            "UnconditionalRaiseArrives",
                            "HandOutGreatest",
                            "UnguardedRestart",
                            "Restart",
                            "Open",
                            "RenewArrives",
                            "OrphanRenewArrives",
                            "Renewed",
                            "RenewAnew"),
            "TwoClientsRestart",
                    Set.of("UnconditionalRaiseArrives", "HandOutGreatest", "UnguardedRestart", "RaiseAgain"),
            "Session", Set.of(),
            "SessionLonger", Set.of(),
            "Children", Set.of("LooksAtOnce", "LooksNot", "NewSession", "Creates"),
            "ChildrenMoves", Set.of("LooksAtOnce", "LooksNot"));

    @Test
    void configurations_unsafe_areKnownEach() throws IOException {
        assertThat(Configuration.in(FOLDER).stream()
                        .filter(configuration -> !configuration.safe())
                        .collect(Collectors.toMap(Configuration::name, Configuration::expected)))
                .isEqualTo(UNSAFE);
    }

    @Test
    void configurations_safeAndTested_areKnownEach() throws IOException {
        assertThat(Stream.concat(safeOfTheBuild(), safeAndLonger()).map(Configuration::name))
                .containsExactlyInAnyOrderElementsOf(NEVER.keySet());
    }

    @ParameterizedTest
    @MethodSource("safeOfTheBuild")
    void check_aProtocol_isSafeInEveryState(Configuration configuration) throws Exception {
        checkSafe(configuration);
    }

    @ParameterizedTest
    @MethodSource("unsafeOfTheBuild")
    void check_aVariantThatLeavesSomethingOut_breaksItsInvariant(Configuration configuration) throws Exception {
        checkUnsafe(configuration);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("safeAndLonger")
    void check_aLongerModel_isSafeInEveryState(Configuration configuration) throws Exception {
        checkSafe(configuration);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("otherUnsafe")
    void check_anotherVariantThatLeavesSomethingOut_breaksItsInvariant(Configuration configuration) throws Exception {
        checkUnsafe(configuration);
    }

    @Test
    void page_ofTheModels_hasARowForEachConfiguration() throws IOException {
        for (Configuration configuration : Configuration.in(FOLDER)) {
            assertThat(rows(configuration)).as(configuration.name()).hasSize(1);
        }
    }

    private static List<String> rows(Configuration configuration) throws IOException {
        return Files.readAllLines(FOLDER.resolve("README.md")).stream()
                .filter(line -> line.startsWith("| `" + configuration.name() + "` |"))
                .toList();
    }

    private static void checkSafe(Configuration configuration) throws Exception {
        Outcome outcome = TLC.check(configuration);
        assertThat(outcome.verdict()).as(outcome.output()).isEqualTo(Configuration.SAFE);
        String states = String.format(Locale.ROOT, "| %,d | %,d |", outcome.distinct(), outcome.generated());
        assertThat(rows(configuration)).as("states, as the page says").allMatch(row -> row.contains(states), states);
        assertThat(outcome.idle()).as("actions that never happened").isEqualTo(NEVER.get(configuration.name()));
    }

    private static void checkUnsafe(Configuration configuration) throws Exception {
        Outcome outcome = TLC.check(configuration);
        assertThat(outcome.verdict()).as(outcome.output()).isEqualTo(UNSAFE.get(configuration.name()));
        assertThat(outcome.steps()).isNotEmpty();
    }

    static Stream<Configuration> safeOfTheBuild() throws IOException {
        return of(Runner.BUILD, Configuration::safe);
    }

    static Stream<Configuration> unsafeOfTheBuild() throws IOException {
        return of(Runner.BUILD, configuration -> !configuration.safe());
    }

    static Stream<Configuration> safeAndLonger() throws IOException {
        return of(Runner.FULL, Configuration::safe);
    }

    static Stream<Configuration> otherUnsafe() throws IOException {
        return of(Runner.FULL, configuration -> !configuration.safe());
    }

    private static Stream<Configuration> of(Runner runner, Predicate<Configuration> wanted) throws IOException {
        return Configuration.in(FOLDER).stream()
                .filter(configuration -> configuration.runner() == runner)
                .filter(wanted);
    }
}
