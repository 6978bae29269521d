package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short round that must go well, and one that must not. Longer ones: {@code ./torture}. */
class TortureTest {
    private static final long SEED = 42;

    private static Tally run(String name, List<Fault> faults, Duration time, boolean apart) {
        RoundSettings settings = new RoundSettings(
                1,
                Mode.SINGLE,
                Safety.AVAILABLE,
                RedisVersion.V7_0,
                SEED,
                faults,
                time,
                2,
                4,
                apart,
                Path.of("target", "torture-test", name));
        return new Round(settings, (operations, injected) -> {}).run();
    }

    @Test
    void round_underFaults_keepsEveryPromise() {
        Tally tally = run("faults", List.of(Fault.values()), Duration.ofSeconds(10), false);
        assertThat(tally.violations()).isEmpty();
        assertThat(tally.faults()).isPositive();
        assertThat(tally.operations()).isGreaterThan(100);
        assertThat(tally.fencedWrites()).isPositive();
    }

    @Test
    void round_ofWorkersThatShareNoLock_isFoundOut() {
        Tally tally = run("apart", List.of(), Duration.ofSeconds(3), true);
        assertThat(tally.violations()).anyMatch(violation -> violation.contains(Rule.EXCLUSION.toString()));
        assertThat(tally.lostWithoutFence()).isPositive();
    }
}
