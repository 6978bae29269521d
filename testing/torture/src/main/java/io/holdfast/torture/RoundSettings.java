package io.holdfast.torture;

import io.holdfast.redis.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a round is to be.
 *
 * @param number which one of the run
 * @param mode how the servers are set up
 * @param safety what is promised after one forgot
 * @param version of the servers
 * @param seed of what the nemesis chooses and of what the workers do
 * @param faults what may be chosen
 * @param time until the last fault
 * @param workers how many processes
 * @param threads of each
 * @param apart whether each worker has locks of its own, which protect nothing: a control
 * @param folder for what the workers write
 */
record RoundSettings(
        int number,
        Mode mode,
        Safety safety,
        RedisVersion version,
        long seed,
        List<Fault> faults,
        Duration time,
        int workers,
        int threads,
        boolean apart,
        Path folder) {

    /** How long a guarded server grants nothing after it may have forgotten. */
    private static final Duration SHUT =
            Subject.LONGEST_LEASE.plus(Subject.LONGEST_LEASE.dividedBy(100)).plusSeconds(11);

    /** A lease, two polls and a second: a free lock is found by then. */
    static final Duration FREE_BOUND =
            Subject.LONGEST_LEASE.plusMillis(2 * 1_200).plusSeconds(1);

    private static final Duration DEAD_PLACES = Duration.ofSeconds(7);
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private Duration shut() {
        return safety == Safety.STRICT ? SHUT : Duration.ZERO;
    }

    /** After that, no dead client holds a lock or a place, and no server is shut. */
    Duration settling() {
        return DEAD_PLACES.plus(shut());
    }

    /** By then every worker must have had a lock again. */
    Duration recovery() {
        return RECOVERY.plus(shut());
    }

    /** The faults that make sense here. */
    List<Fault> choices() {
        return faults.stream().filter(fault -> fault.happensIn(mode, safety)).toList();
    }

    @Override
    public String toString() {
        return "round " + number + ", " + mode + ", " + safety.name().toLowerCase(java.util.Locale.ROOT) + ", Redis "
                + version;
    }
}
