package io.holdfast.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
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
 * The protocol as specified is safe in every state, and each variant that leaves something out is found to be unsafe.
 */
@Tag("integration")
class QuorumSpecTest {
    private static final Path FOLDER = Path.of("..", "..", "docs", "spec");
    private static final Tlc TLC = new Tlc(2);

    /** The invariant that each variant must be seen to break, said a second time, so that a changed head is noticed. */
    private static final Map<String, String> UNSAFE = Map.of(
            "UnsafeNoRaise", "TokensGrow",
            "UnsafeUnconditionalRaise", "TokensGrow",
            "UnsafeDeadlineBeforeRaise", "MutualExclusion",
            "UnsafeMarkerGuard", "MutualExclusion",
            "UnsafeNoGuard", "MutualExclusion",
            "UnsafeSmallMajority", "MutualExclusion",
            "UnsafeReassertAnywhere", "MutualExclusion");

    /**
     * What each safe model of the build never does: what only unsafe variants do, and what needs restarts, renewals or
     * a third token.
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
                    Set.of("UnconditionalRaiseArrives", "HandOutGreatest", "UnguardedRestart", "RaiseAgain"));

    @Test
    void configurations_ofTheBuild_areTwoSafeModelsAndEveryUnsafeVariant() throws IOException {
        assertThat(safe().map(Configuration::name)).containsExactlyInAnyOrderElementsOf(NEVER.keySet());
        assertThat(unsafe().collect(Collectors.toMap(Configuration::name, Configuration::expected)))
                .isEqualTo(UNSAFE);
    }

    @ParameterizedTest
    @MethodSource("safe")
    void check_theProtocol_isSafeInEveryState(Configuration configuration) throws Exception {
        Outcome outcome = TLC.check(configuration);
        assertThat(outcome.verdict()).as(outcome.output()).isEqualTo(Configuration.SAFE);
        assertThat(outcome.idle()).as("actions that never happened").isEqualTo(NEVER.get(configuration.name()));
    }

    @ParameterizedTest
    @MethodSource("unsafe")
    void check_aVariantThatLeavesSomethingOut_breaksItsInvariant(Configuration configuration) throws Exception {
        Outcome outcome = TLC.check(configuration);
        assertThat(outcome.verdict()).as(outcome.output()).isEqualTo(UNSAFE.get(configuration.name()));
        assertThat(outcome.steps()).isNotEmpty();
    }

    static Stream<Configuration> safe() throws IOException {
        return ofTheBuild(Configuration::safe);
    }

    static Stream<Configuration> unsafe() throws IOException {
        return ofTheBuild(configuration -> !configuration.safe());
    }

    private static Stream<Configuration> ofTheBuild(Predicate<Configuration> wanted) throws IOException {
        return Configuration.in(FOLDER).stream().filter(Configuration::inBuild).filter(wanted);
    }
}
