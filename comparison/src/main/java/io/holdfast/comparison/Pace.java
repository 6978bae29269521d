package io.holdfast.comparison;

import java.time.Duration;

/**
 * How long everything takes.
 *
 * @param warmUp before the first round of a workload; none if zero, and then counting has to do
 * @param counting the round in which commands are counted and nothing else
 * @param heldLocks how many locks are held and renewed
 * @param heldLease their lease
 */
record Pace(
        int rounds,
        Duration round,
        Duration warmUp,
        Duration counting,
        int heldLocks,
        Duration heldLease,
        int recoveries) {
    static final Pace FULL = new Pace(
            5,
            Duration.ofMillis(1_500),
            Duration.ofSeconds(3),
            Duration.ofMillis(500),
            10_000,
            Duration.ofSeconds(30),
            5);

    /** For stores that wait for a disk, which is fast for a second and slow for the next: many short turns. */
    static final Pace ON_DISK = new Pace(
            25,
            Duration.ofMillis(500),
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            FULL.heldLocks,
            FULL.heldLease,
            FULL.recoveries);

    static final Pace QUICK =
            new Pace(1, Duration.ofMillis(300), Duration.ZERO, Duration.ofMillis(200), 1_000, Duration.ofSeconds(6), 1);

    /** The same for stores that wait for a disk. */
    Pace onDisk() {
        return equals(QUICK) ? QUICK : ON_DISK;
    }
}
