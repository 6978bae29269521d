package io.holdfast.comparison;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Where a library keeps its locks: a server of its own, so that nobody pays for another's keys, scripts and
 * connections.
 */
interface Store extends AutoCloseable {

    /** What {@link Library#open} takes. */
    String address();

    /** What a client's JVM has to be told to reach it. */
    default List<String> clientFlags() {
        return List.of();
    }

    /** Processor time of the server so far. */
    long cpuMicros();

    /** Runs the work and returns how many commands clients sent meanwhile; null where nobody counts them. */
    @Nullable
    Long commandsDuring(Callable<?> work) throws Exception;

    @Override
    void close();
}
