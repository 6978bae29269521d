package io.holdfast.spi;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a server's clock, from the replies that carry its time. For backends whose store counts leases on a
 * clock of its own.
 *
 * <p>A request that was sent at one local instant and answered at another was executed in between, so the difference of
 * the two clocks lies between two bounds. Each reply narrows them; time widens them again, because clocks drift. A
 * reply that contradicts them means that the clock was set: then the old bounds are dropped.
 *
 * <p>All directions are bounds, never guesses: {@link #atLeastMicros} is not later than the server's clock, {@link
 * #atMostMicros} not earlier, {@link #notLaterThanNanos} not later than the local instant. Local instants are those of
 * {@link TimeSource#nanoTime()}, the server's are microseconds since 1970.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * @since 0.1
 */
public final class ServerClock {
    private static final long NANOS_PER_MICRO = 1_000;

    /** How far two clocks may drift apart, as a fraction of the elapsed time: one part in this many. */
    private static final int DRIFT = 100;

    /** The same where an error costs only another round trip: the drift of disciplined clocks. */
    private static final int SMALL_DRIFT = 1_000;

    /** Bounds that are younger than this are replaced only by better ones. */
    private static final long FRESH_NANOS = 50_000_000;

    /** The server's nanoseconds minus ours are in {@code lowNanos .. highNanos}; measured at {@code atNanos}. */
    private record Bounds(long lowNanos, long highNanos, long atNanos) {}

    private final AtomicReference<@Nullable Bounds> bounds = new AtomicReference<>();

    /** A clock of which nothing is known yet. */
    public ServerClock() {}

    /**
     * Learns from a reply.
     *
     * @param sentNanos when the request was sent, or earlier
     * @param receivedNanos when the reply came, or later
     * @param serverMicros the server's time between the two
     * @return by how many nanoseconds the clock was set since the last reply; zero if it was not
     */
    public long learn(long sentNanos, long receivedNanos, long serverMicros) {
        long serverNanos = serverMicros * NANOS_PER_MICRO;
        long low = serverNanos - receivedNanos;
        long high = serverNanos + NANOS_PER_MICRO - sentNanos;
        while (true) {
            Bounds old = bounds.get();
            long jump = 0;
            Bounds next;
            if (old == null) {
                next = new Bounds(low, high, receivedNanos);
            } else {
                long drift = Math.max(0, receivedNanos - old.atNanos) / DRIFT;
                long lowest = old.lowNanos - drift;
                long highest = old.highNanos + drift;
                jump = low > highest ? low - highest : high < lowest ? high - lowest : 0;
                if (jump == 0 && low <= lowest && high >= highest && receivedNanos - old.atNanos < FRESH_NANOS) {
                    return 0;
                }
                next = jump == 0
                        ? new Bounds(Math.max(low, lowest), Math.min(high, highest), receivedNanos)
                        : new Bounds(low, high, receivedNanos);
            }
            if (bounds.compareAndSet(old, next)) {
                return jump;
            }
        }
    }

    /**
     * Returns the server's time at a local instant, or earlier.
     *
     * @param localNanos the instant
     * @return not later than the server's time
     * @throws IllegalStateException before the first reply
     */
    public long atLeastMicros(long localNanos) {
        Bounds known = known();
        long drift = Math.max(0, localNanos - known.atNanos) / SMALL_DRIFT;
        return (localNanos + known.lowNanos - drift) / NANOS_PER_MICRO;
    }

    /**
     * Returns the server's time at a local instant, or later.
     *
     * @param localNanos the instant
     * @return not earlier than the server's time
     * @throws IllegalStateException before the first reply
     */
    public long atMostMicros(long localNanos) {
        Bounds known = known();
        long drift = Math.max(0, localNanos - known.atNanos) / SMALL_DRIFT;
        return (localNanos + known.highNanos + drift) / NANOS_PER_MICRO;
    }

    /**
     * Returns a local instant that is not later than the server's time.
     *
     * @param serverMicros a time of the server
     * @return the instant, or an earlier one
     * @throws IllegalStateException before the first reply
     */
    public long notLaterThanNanos(long serverMicros) {
        Bounds known = known();
        long nanos = serverMicros * NANOS_PER_MICRO - known.highNanos;
        return nanos - Math.abs(nanos - known.atNanos) / DRIFT;
    }

    /**
     * Tells how long ago the last reply was learned from.
     *
     * @param nowNanos the present
     * @return the age, or {@link Long#MAX_VALUE} before the first reply
     */
    public long ageNanos(long nowNanos) {
        Bounds known = bounds.get();
        return known == null ? Long.MAX_VALUE : nowNanos - known.atNanos;
    }

    private Bounds known() {
        Bounds known = bounds.get();
        if (known == null) {
            throw new IllegalStateException("no reply has told the time yet");
        }
        return known;
    }
}
