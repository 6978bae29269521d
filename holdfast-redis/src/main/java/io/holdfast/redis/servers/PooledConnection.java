package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisReplyException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lent connection. Closing gives it back. */
public final class PooledConnection implements RedisConnection {
    /** Where it comes from. */
    interface Pool {
        void giveBack(PooledConnection connection);

        /** Whether it leads to the server that was last known there. */
        boolean isCurrent(PooledConnection connection);

        /** The server has answered. */
        void heard();
    }

    private final Pool owner;
    private final RedisConnection connection;
    private final int era;
    private boolean lentBefore;
    private volatile long idleSinceNanos;

    /** @param era how often all connections had been discarded when this one was made */
    PooledConnection(Pool owner, RedisConnection connection, int era) {
        this.owner = owner;
        this.connection = connection;
        this.era = era;
    }

    int era() {
        return era;
    }

    /** Whether it was never lent before, so that its server is not verified. */
    boolean isNew() {
        return !lentBefore;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    void idle(long nowNanos) {
        lentBefore = true;
        idleSinceNanos = nowNanos;
    }

    @Override
    public void send(List<byte[][]> commands) {
        connection.send(commands);
    }

    @Override
    public @Nullable Object receive(Duration timeout) {
        try {
            Object reply = connection.receive(timeout);
            owner.heard();
            return reply;
        } catch (RedisReplyException refused) {
            owner.heard();
            throw refused;
        }
    }

    /** Whether it can be used again and leads to the server that was last known there. */
    @Override
    public boolean isUsable() {
        return connection.isUsable() && owner.isCurrent(this);
    }

    @Override
    public void close() {
        owner.giveBack(this);
    }

    void end() {
        connection.close();
    }
}
