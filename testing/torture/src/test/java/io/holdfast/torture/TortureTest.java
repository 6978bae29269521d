package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Short rounds that must go well, and some that must not. Longer ones: {@code ./torture}. */
class TortureTest {
    private static final long SEED = 42;
    private static final long MOST_ROUNDS = 20;

    private static Tally run(String name, List<Fault> faults, Duration time, Sabotage sabotage) {
        return run(name, Mode.SINGLE, SEED, faults, time, sabotage);
    }

    private static Tally run(String name, Mode mode, long seed, List<Fault> faults, Duration time, Sabotage sabotage) {
        RoundSettings settings = new RoundSettings(
                1,
                mode,
                3,
                Safety.AVAILABLE,
                RedisVersion.V7_0,
                seed,
                faults,
                time,
                2,
                4,
                sabotage,
                Path.of("target", "torture-test", name));
        return new Round(settings, (operations, injected) -> {}).run();
    }

    @Test
    void round_underFaults_keepsEveryPromise() {
        Tally tally = run("faults", List.of(Fault.values()), Duration.ofSeconds(10), Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }

    @Test
    void round_ofWorkersThatShareNoLock_isFoundOut() {
        Tally tally = run("apart", List.of(), Duration.ofSeconds(3), Sabotage.APART);
        assertThat(tally.violations()).anyMatch(violation -> violation.contains(Rule.EXCLUSION.toString()));
        assertThat(tally.lostWithoutFence()).isPositive();
    }

    /** Without a rolling restart, which takes longer than all of this. */
    @Test
    void quorum_underFaults_keepsEveryPromise() {
        List<Fault> faults = Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.ROLLING_RESTART)
                .toList();
        Tally tally = run("quorum", Mode.QUORUM, SEED, faults, Duration.ofSeconds(10), Sabotage.NONE);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }

    /** The one that decides must be hit. */
    @Test
    void quorum_ofWhichOneNodeDecides_isFoundOut() {
        assertFoundOut(Sabotage.ONE_VOTE, List.of(Fault.KILL));
    }

    /** Two nodes must be empty at a time, and somebody must ask then. */
    @Test
    void quorum_ofNodesThatDoNotGuardThemselves_isFoundOut() {
        assertFoundOut(Sabotage.NO_GUARD, List.of(Fault.KILL_EMPTY, Fault.KILL_ROLLED_BACK, Fault.FLUSH, Fault.MIX));
    }

    /** That may take a few rounds. */
    private static void assertFoundOut(Sabotage sabotage, List<Fault> faults) {
        List<String> violations = List.of();
        for (long seed = 1; seed <= MOST_ROUNDS && violations.isEmpty(); seed++) {
            violations = run(sabotage.toString(), Mode.QUORUM, seed, faults, Duration.ofSeconds(12), sabotage)
                    .violations();
        }
        assertThat(violations).anyMatch(violation -> violation.contains(Rule.EXCLUSION.toString()));
    }
}
