package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisSubscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands what Lettuce's thread receives to the thread that listens, in order, until the connection ends. */
final class LettuceSubscription implements RedisSubscription {
    /** Something that happened; tells the listener of it. */
    private record Heard(
            @Nullable Consumer<Listener> event, @Nullable RuntimeException end) {}

    private final RedisAddress address;
    private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private final byte[] channel;
    private final boolean sharded;
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

    /** Lettuce warns of a second time. */
    private final AtomicBoolean closed = new AtomicBoolean();

    LettuceSubscription(
            RedisAddress address,
            StatefulRedisPubSubConnection<byte[], byte[]> connection,
            String channel,
            boolean sharded) {
        this.address = address;
        this.connection = connection;
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
        this.sharded = sharded;
    }

    @Override
    public void listen(Listener listener) {
        connection.addListener(new Receiver());
        connection.addListener(new Watch());
        if (!connection.isOpen()) { // before anybody watched
            ended("the connection was closed");
        }
        follow(
                sharded
                        ? connection.async().ssubscribe(channel)
                        : connection.async().subscribe(channel),
                ignored -> {});
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Heard next = heard.take();
                    if (next.event == null) {
                        if (next.end != null) {
                            throw next.end;
                        }
                        return;
                    }
                    next.event.accept(listener);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Tells of the end of a command. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is watched
    private void follow(CompletionStage<?> command, Consumer<Listener> done) {
        command.whenComplete((reply, failure) -> heard.add(
                failure == null ? new Heard(done, null) : new Heard(null, Waiting.translated(address, failure))));
    }

    private void ended(String why) {
        heard.add(new Heard(null, RedisLinkException.broken("Redis at " + address + ": " + why, null)));
    }

    @Override
    public void ping() {
        follow(connection.async().ping(), Listener::pong);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it ends by itself
    public void close() {
        ended("the subscription was closed");
        if (closed.compareAndSet(false, true)) {
            connection.closeAsync();
        }
    }

    private final class Receiver extends RedisPubSubAdapter<byte[], byte[]> {
        @Override
        public void message(byte[] from, byte[] message) {
            heard.add(new Heard(listener -> listener.message(message), null));
        }

        @Override
        public void smessage(byte[] from, byte[] message) {
            message(from, message);
        }

        @Override
        public void subscribed(byte[] to, long count) {
            heard.add(new Heard(Listener::subscribed, null));
        }

        @Override
        public void ssubscribed(byte[] to, long count) {
            subscribed(to, count);
        }

        @Override
        public void unsubscribed(byte[] from, long count) {
            heard.add(new Heard(null, null));
        }

        @Override
        public void sunsubscribed(byte[] from, long count) {
            unsubscribed(from, count);
        }
    }

    private final class Watch implements RedisConnectionStateListener {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
            ended("the connection broke");
        }
    }
}
