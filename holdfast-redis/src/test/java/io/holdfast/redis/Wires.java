package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The usual driver, with hooks for a test. */
class Wires implements RedisDriver {
    private final RedisDriver driver = Drivers.create(
            new RedisAccess(null, 0, null, Duration.ofSeconds(2), false, new RedisAccess.Tls(null, null, null), null));

    void opening() {}

    void send(RedisConnection connection, List<byte[][]> commands) {
        connection.send(commands);
    }

    void closed() {}

    boolean isUsable(RedisConnection connection) {
        return connection.isUsable();
    }

    @Override
    public final RedisConnection open(RedisAddress address, Duration patience) {
        opening();
        return new Wire(driver.open(address, patience));
    }

    @Override
    public final RedisSubscription subscription(RedisAddress address, String channel, boolean sharded) {
        return driver.subscription(address, channel, sharded);
    }

    @Override
    public final void close() {
        driver.close();
    }

    private final class Wire implements RedisConnection {
        private final RedisConnection connection;

        Wire(RedisConnection connection) {
            this.connection = connection;
        }

        @Override
        public void send(List<byte[][]> commands) {
            Wires.this.send(connection, commands);
        }

        @Override
        public @Nullable Object receive(Duration timeout) {
            return connection.receive(timeout);
        }

        @Override
        public boolean isUsable() {
            return Wires.this.isUsable(connection);
        }

        @Override
        public void close() {
            connection.close();
            closed();
        }
    }
}
