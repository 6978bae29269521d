package io.holdfast.comparison;

import java.time.Duration;

/**
 * How long everything takes.
 *
 * @param warmUp before the first round of a workload
 * @param counting the round in which commands are counted and nothing else
 * @param heldLease lease of the locks that are held and renewed
 */
record Pace(int rounds, Duration round, Duration warmUp, Duration counting, Duration heldLease, int recoveries) {
    static final Pace FULL = new Pace(
            5, Duration.ofMillis(1_500), Duration.ofSeconds(3), Duration.ofMillis(500), Duration.ofSeconds(30), 5);
    static final Pace QUICK = new Pace(
            3, Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofMillis(200), Duration.ofSeconds(6), 1);
}
