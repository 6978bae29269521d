package io.holdfast.comparison;

import org.jspecify.annotations.Nullable;

/**
 * What one library showed in one workload: medians of the rounds; the worst wait is that of all rounds. Null or not a
 * number where there is nothing to tell (the commands of ZooKeeper). Times are microseconds.
 *
 * @param library {@link Library#label}
 * @param version of the library
 * @param rounds how many were measured
 * @param cycles how many entries into the section, all rounds together
 * @param cyclesPerSecond entries into the section and out again
 * @param p50Micros how long entering took
 * @param serverMicrosPerCycle processor time of the store
 * @param violations how often a thread was inside that should not have been
 * @param failure why it was not measured, in a sentence, or null
 */
record Row(
        String workload,
        String library,
        String version,
        int rounds,
        long cycles,
        double cyclesPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double worstMicros,
        double clientCpuMicrosPerCycle,
        @Nullable Double serverMicrosPerCycle,
        @Nullable Double commandsPerCycle,
        double allocatedBytesPerCycle,
        long violations,
        @Nullable String failure) {

    static Row failed(Workload workload, Library library, String why) {
        return failed(workload, library, why, 0);
    }

    static Row failed(Workload workload, Library library, String why, long violations) {
        return new Row(
                workload.label(),
                library.label(),
                library.version(),
                0,
                0,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                null,
                null,
                Double.NaN,
                violations,
                why);
    }
}
