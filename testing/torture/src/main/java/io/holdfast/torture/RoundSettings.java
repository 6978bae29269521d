package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a round is to be.
 *
 * @param number which one of the run
 * @param mode how the servers are set up
 * @param nodes how many of them vote in a quorum
 * @param safety what is promised after one forgot
 * @param version of the servers
 * @param seed of what the nemesis chooses and of what the workers do
 * @param faults what may be chosen
 * @param time until the last fault
 * @param workers how many processes
 * @param threads of each
 * @param sabotage what is wrong on purpose: a control
 * @param folder for what the workers write
 */
record RoundSettings(
        int number,
        Mode mode,
        int nodes,
        Safety safety,
        RedisVersion version,
        long seed,
        List<Fault> faults,
        Duration time,
        int workers,
        int threads,
        Sabotage sabotage,
        Path folder) {

    /** A server that is guarded waits longer than a node of a quorum: a master that was cut off may not know it yet. */
    private static final Duration LAG = Duration.ofSeconds(12);

    private static final Duration LONGEST_LEAD_IN = Duration.ofSeconds(8);
    private static final Duration DEAD_PLACES = Duration.ofSeconds(7);
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    /** How long a server grants nothing after it may have forgotten. */
    Duration shut() {
        Duration lease = mode.longestLease(safety);
        Duration shut = lease.plus(lease.dividedBy(100)).plusSeconds(1);
        if (mode == Mode.QUORUM) {
            return shut;
        }
        if (mode == Mode.ZOOKEEPER) {
            return Duration.ZERO;
        }
        boolean lags = mode != Mode.JDBC; // the old primary is dead there
        return safety == Safety.STRICT ? shut.plus(lags ? LAG : Duration.ZERO) : Duration.ZERO;
    }

    /** A lease, two polls and a second: a free lock is found by then. */
    Duration freeBound() {
        return mode.longestLease(safety).plusMillis(2 * 1_200).plusSeconds(1);
    }

    /** After that, no dead client holds a lock or a place, and no server is shut. */
    Duration settling() {
        return (mode == Mode.ZOOKEEPER ? ZooKeeperSite.SESSION.plus(ZooKeeperSite.NOTICE) : DEAD_PLACES).plus(shut());
    }

    /** By then every worker must have had a lock again. */
    Duration recovery() {
        return RECOVERY.plus(mode == Mode.ZOOKEEPER ? ZooKeeperSite.SESSION : shut());
    }

    /** How long a quorum is left alone at first, to see what it can do. */
    Duration leadIn() {
        Duration part = time.dividedBy(8);
        return part.compareTo(LONGEST_LEAD_IN) < 0 ? part : LONGEST_LEAD_IN;
    }

    /** Whether something is wrong on purpose. */
    boolean isControl() {
        return sabotage != Sabotage.NONE;
    }

    /** The faults that make sense here. */
    List<Fault> choices() {
        boolean alone = mode == Mode.JDBC && !JdbcSite.hasReplicas(number);
        return faults.stream()
                .filter(fault -> fault.happensIn(mode, safety) && !(alone && fault.needsReplica()))
                .toList();
    }

    @Override
    public String toString() {
        if (mode == Mode.ZOOKEEPER) {
            return "round " + number + ", " + mode + ", an ensemble of three";
        }
        String promise = mode == Mode.QUORUM ? nodes + " nodes" : safety.name().toLowerCase(java.util.Locale.ROOT);
        String server = mode == Mode.JDBC ? JdbcSite.product(number) : "Redis " + version;
        return "round " + number + ", " + mode + ", " + promise + ", " + server;
    }
}
