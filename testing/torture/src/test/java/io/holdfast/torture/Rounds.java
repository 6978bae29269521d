package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A round that is short enough for a test. */
final class Rounds {
    static final long SEED = 42;

    private Rounds() {}

    static Tally run(String name, Mode mode, long seed, List<Fault> faults, Duration time, Sabotage sabotage) {
        return run(name, mode, Safety.AVAILABLE, seed, faults, time, sabotage);
    }

    static Tally run(
            String name, Mode mode, Safety safety, long seed, List<Fault> faults, Duration time, Sabotage sabotage) {
        return run(1, name, mode, safety, seed, faults, time, sabotage);
    }

    /** The number says which product is used, where there are several. */
    static Tally run(
            int number,
            String name,
            Mode mode,
            Safety safety,
            long seed,
            List<Fault> faults,
            Duration time,
            Sabotage sabotage) {
        RoundSettings settings = new RoundSettings(
                number,
                mode,
                3,
                safety,
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
}
