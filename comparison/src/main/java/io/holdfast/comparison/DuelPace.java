package io.holdfast.comparison;

import java.time.Duration;

/**
 * How long two builds are compared. Many short rounds by turns: what disturbs the machine for a second hits both.
 *
 * @param forks how many times both start anew, because no two JVMs compile the same code alike
 * @param pairs rounds of each build in each fork
 * @param warmUp how long a build works before it is measured, again and again
 * @param warmCycles until it has done so many cycles: on a busy machine time alone makes no JVM warm
 */
record DuelPace(int forks, int pairs, Duration round, Duration warmUp, long warmCycles) {
    static final DuelPace FULL = new DuelPace(5, 40, Duration.ofMillis(100), Duration.ofSeconds(1), 40_000);
    static final DuelPace QUICK = new DuelPace(2, 20, Duration.ofMillis(100), Duration.ofSeconds(1), 10_000);
}
