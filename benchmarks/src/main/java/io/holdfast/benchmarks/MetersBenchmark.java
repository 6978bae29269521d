package io.holdfast.benchmarks;

import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.micrometer.LockMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What meters cost per event: those that come with every lock, of a hundred names in one group and of too many. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MetersBenchmark {
    private static final int NAMES = 100;
    private static final Duration TIME = Duration.ofMillis(3);

    /** A listener, and the events of names that have a group of their own and of names that have none. */
    @State(Scope.Benchmark)
    public static class Listener {
        final LockMeters meters = LockMeters.of(new SimpleMeterRegistry());
        final LockEvent[] grouped = new LockEvent[2 * NAMES];
        final LockEvent[] other = new LockEvent[2 * NAMES];

        /** Fills every group before anything is measured. */
        public Listener() {
            for (int i = 0; i < NAMES; i++) {
                grouped[2 * i] = LockEvent.Acquired.of(LockKind.LOCK, "order:" + i, i, TIME);
                grouped[2 * i + 1] = LockEvent.Released.of(LockKind.LOCK, "order:" + i, i, TIME);
                other[2 * i] = LockEvent.Acquired.of(LockKind.LOCK, "late-" + i + ":x", i, TIME);
                other[2 * i + 1] = LockEvent.Released.of(LockKind.LOCK, "late-" + i + ":x", i, TIME);
            }
            meters.on(grouped[0]);
            for (int i = 0; i < NAMES; i++) {
                meters.on(LockEvent.Contended.of(LockKind.LOCK, "early-" + i + ":x"));
            }
        }
    }

    /**
     * One group, as a rule.
     *
     * @param listener the listener
     */
    @Benchmark
    @OperationsPerInvocation(2 * NAMES)
    public void grouped(Listener listener) {
        for (LockEvent event : listener.grouped) {
            listener.meters.on(event);
        }
    }

    /**
     * Names for which there is no place any more.
     *
     * @param listener the listener
     */
    @Benchmark
    @OperationsPerInvocation(2 * NAMES)
    public void other(Listener listener) {
        for (LockEvent event : listener.other) {
            listener.meters.on(event);
        }
    }
}
