package io.holdfast.zookeeper.backend;

import io.holdfast.spi.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** Waits for answers until an instant; an interrupt does not end the wait, and stays set. */
final class Answers {
    private final TimeSource time;
    private final long untilNanos;

    Answers(TimeSource time, long untilNanos) {
        this.time = time;
        this.untilNanos = untilNanos;
    }

    boolean isTimeLeft() {
        return time.nanoTime() - untilNanos < 0;
    }

    /** Waits for one answer; throws what the server says, or OperationTimeout if it says nothing. */
    <T extends @Nullable Object> T await(CompletableFuture<T> future) throws KeeperException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, untilNanos - time.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException silent) {
                    throw new KeeperException.OperationTimeoutException();
                } catch (ExecutionException failed) {
                    throw keeper(failed);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the server said, whoever wrapped it. */
    static KeeperException keeper(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ExecutionException || cause instanceof CompletionException) {
            cause = cause.getCause();
        }
        if (cause instanceof KeeperException said) {
            return said;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("unexpected failure of a call to ZooKeeper", cause);
    }
}
