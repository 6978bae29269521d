package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One connection. Replies come in the order of the commands, each to the future of its command. */
final class LettuceConnection implements RedisConnection {
    private final RedisAddress address;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    /** Sent and not received. Until it is empty the connection must not be reused, whatever ended the wait. */
    private final Deque<AsyncCommand<byte[], byte[], @Nullable Object>> missing = new ArrayDeque<>();

    /** Lettuce warns of a second time. */
    private final AtomicBoolean closed = new AtomicBoolean();

    private boolean broken;

    LettuceConnection(RedisAddress address, StatefulRedisConnection<byte[], byte[]> connection) {
        this.address = address;
        this.connection = connection;
    }

    /** The name of a command. Lettuce must not recognise it: it would do more than send it. */
    private static final class Name implements ProtocolKeyword {
        private final byte[] bytes;

        Name(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public byte[] getBytes() {
            return bytes;
        }

        @Override
        public String toString() {
            return "holdfast";
        }
    }

    @Override
    public void send(List<byte[][]> commands) {
        List<AsyncCommand<byte[], byte[], @Nullable Object>> all = new ArrayList<>(commands.size());
        for (byte[][] words : commands) {
            CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
            for (int i = 1; i < words.length; i++) {
                arguments.add(words[i]);
            }
            all.add(new AsyncCommand<>(new Command<>(new Name(words[0]), new RawReply(), arguments)));
        }
        missing.addAll(all);
        boolean interrupted = Thread.interrupted();
        try {
            connection.dispatch(all);
        } catch (RuntimeException failure) {
            broken = true;
            throw Waiting.translated(address, failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public @Nullable Object receive(Duration timeout) {
        AsyncCommand<byte[], byte[], @Nullable Object> next = missing.element();
        try {
            Object reply = Waiting.result(next.toCompletableFuture(), timeout);
            missing.remove();
            return reply;
        } catch (TimeoutException late) {
            broken = true;
            throw RedisLinkException.timedOut(
                    "Redis at " + address + " did not answer in time: no reply within " + timeout, late);
        } catch (ExecutionException failed) {
            RuntimeException translated = Waiting.translated(address, failed);
            if (translated instanceof RedisReplyException) {
                missing.remove();
            } else {
                broken = true;
            }
            throw translated;
        }
    }

    @Override
    public boolean isUsable() {
        return !broken && missing.isEmpty() && connection.isOpen();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it ends by itself
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connection.closeAsync();
        }
    }
}
