package io.holdfast.benchmarks;

/** Counts durations in buckets that are at most a thirty-second of their value wide. Not safe for several threads. */
final class Latencies {
    private static final int STEPS_PER_DOUBLING = 32;
    private static final int STEP_BITS = 5;

    private final long[] counts = new long[Long.SIZE * STEPS_PER_DOUBLING];
    private long count;
    private long longestNanos;

    void add(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        count++;
        longestNanos = Math.max(longestNanos, nanos);
    }

    long count() {
        return count;
    }

    long longestNanos() {
        return longestNanos;
    }

    /** A duration that this part of all durations does not exceed by more than the width of a bucket. */
    long quantileNanos(double part) {
        long below = (long) Math.ceil(part * count);
        int bucket = 0;
        for (long seen = counts[0]; seen < below; seen += counts[bucket]) {
            bucket++;
        }
        return lowestOf(bucket);
    }

    private static int bucket(long nanos) {
        int doublings = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - STEP_BITS - 1);
        return doublings * STEPS_PER_DOUBLING + (int) (nanos >>> doublings);
    }

    private static long lowestOf(int bucket) {
        int doublings = Math.max(0, bucket / STEPS_PER_DOUBLING - 1);
        return (long) (bucket - doublings * STEPS_PER_DOUBLING) << doublings;
    }
}
