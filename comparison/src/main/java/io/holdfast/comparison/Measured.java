package io.holdfast.comparison;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What one worker, or all workers together, measured in one round.
 *
 * @param cycles all entries into the section, from the first to the last
 * @param cyclesInTime those in the part of the round that counts
 * @param alone how many of them had to be alone inside
 * @param violations how often a thread was inside that should not have been
 * @param waits how long entering took since the round counts, in nanoseconds
 */
record Measured(long cycles, long cyclesInTime, long alone, long violations, Usage usage, Histogram waits) {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    static Histogram newHistogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    /** For many threads at once. */
    static Histogram sharedHistogram() {
        return new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    }

    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
    }

    static Measured nothing() {
        return new Measured(0, 0, 0, 0, new Usage(0, 0), newHistogram());
    }

    Measured plus(Measured other) {
        Histogram both = waits.copy();
        both.add(other.waits);
        return new Measured(
                cycles + other.cycles,
                cyclesInTime + other.cyclesInTime,
                alone + other.alone,
                violations + other.violations,
                usage.plus(other.usage),
                both);
    }

    /** Adds what only the count that all workers share can tell. */
    Measured checkedBy(Witness witness) {
        return new Measured(cycles, cyclesInTime, alone, violations + Math.abs(alone - witness.count()), usage, waits);
    }

    Measured withUsage(Usage used) {
        return new Measured(cycles, cyclesInTime, alone, violations, used, waits);
    }

    String encode() {
        ByteBuffer buffer = ByteBuffer.allocate(waits.getNeededByteBufferCapacity());
        int length = waits.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_SPEED);
        ByteBuffer text = Base64.getEncoder().encode(ByteBuffer.wrap(buffer.array(), 0, length));
        return String.join(
                " ",
                Long.toString(cycles),
                Long.toString(cyclesInTime),
                Long.toString(alone),
                Long.toString(violations),
                Long.toString(usage.cpuNanos()),
                Long.toString(usage.allocatedBytes()),
                new String(text.array(), 0, text.limit(), StandardCharsets.US_ASCII));
    }

    static Measured decode(List<String> words) {
        try {
            byte[] bytes = Base64.getDecoder().decode(words.get(6));
            return new Measured(
                    Long.parseLong(words.get(0)),
                    Long.parseLong(words.get(1)),
                    Long.parseLong(words.get(2)),
                    Long.parseLong(words.get(3)),
                    new Usage(Long.parseLong(words.get(4)), Long.parseLong(words.get(5))),
                    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), LONGEST_NANOS));
        } catch (DataFormatException impossible) {
            throw new IllegalStateException("a worker's histogram cannot be read", impossible);
        }
    }
}
