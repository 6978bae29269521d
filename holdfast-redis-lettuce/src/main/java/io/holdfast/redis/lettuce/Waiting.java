package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.spi.TimeSource;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what Lettuce does on its own threads, and says what went wrong. */
final class Waiting {
    private static final TimeSource TIME = TimeSource.system();

    private Waiting() {}

    /**
     * The result of a future. An interrupt does not end the wait: the request was sent, and its answer is what counts.
     *
     * @throws TimeoutException if it did not come in time
     * @throws ExecutionException if it failed
     */
    static <T> T result(CompletableFuture<T> future, Duration patience) throws ExecutionException, TimeoutException {
        long untilNanos = TIME.nanoTime() + patience.toNanos();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return future.get(Math.max(1, untilNanos - TIME.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (CancellationException closed) {
                    throw new ExecutionException(closed);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A new connection; one that comes too late is closed. */
    static <T extends StatefulConnection<byte[], byte[]>> T forConnection(
            RedisAddress address, CompletionStage<T> stage, Duration patience) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            return result(future, patience);
        } catch (TimeoutException late) {
            closeWhenMade(stage);
            throw RedisLinkException.unreachable(
                    "Redis at " + address + " did not answer in time: no connection within " + patience, late, true);
        } catch (ExecutionException failed) {
            throw asUnsent(translated(address, failed));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it any more
    private static void closeWhenMade(CompletionStage<? extends StatefulConnection<byte[], byte[]>> stage) {
        stage.whenComplete((made, failure) -> {
            if (made != null) {
                made.closeAsync();
            }
        });
    }

    private static RuntimeException asUnsent(RuntimeException failure) {
        return failure instanceof RedisLinkException link
                ? RedisLinkException.unreachable(String.valueOf(link.getMessage()), link.getCause(), link.isTimeout())
                : failure;
    }

    /** What the server answered, or that it did not. */
    static RuntimeException translated(RedisAddress address, Throwable failure) {
        RedisCommandExecutionException reply = find(failure);
        if (reply != null) {
            return new RedisReplyException(address, String.valueOf(reply.getMessage()));
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return root instanceof io.netty.channel.ConnectTimeoutException
                ? RedisLinkException.timedOut("Redis at " + address + " did not answer in time: " + text, failure)
                : RedisLinkException.broken("Redis at " + address + ": " + text, failure);
    }

    private static @Nullable RedisCommandExecutionException find(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException reply) {
                return reply;
            }
        }
        return null;
    }
}
