package io.holdfast.spi;

import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Runs tasks on other threads, or here if no thread can be started. For what a backend does side by side: where the
 * machine or the user may have no more threads, it is done one after the other instead of not at all.
 *
 * @since 0.1
 */
public final class Elsewhere implements Executor {
    private final Executor threads;

    /**
     * Prefers these threads.
     *
     * @param threads throws {@link OutOfMemoryError} when a thread cannot be started
     */
    public Elsewhere(Executor threads) {
        this.threads = Objects.requireNonNull(threads, "threads");
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (OutOfMemoryError noThread) {
            task.run();
        }
    }
}
