package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. Lends the one that was used last, and makes one if none is idle, so nobody waits here.
 * {@link Callers} limits the number of connections; renewals and handshakes are few.
 */
public final class Connections implements PooledConnection.Pool {
    /** How long an idle connection is kept. One is always kept. */
    public static final Duration KEPT = Duration.ofSeconds(5);

    private final RedisDriver driver;
    private final RedisAddress address;
    private final Timing time;
    private final Deque<PooledConnection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger era = new AtomicInteger();
    private volatile boolean closed;

    /** When the server last answered anything. */
    private volatile long heardNanos;

    public Connections(RedisDriver driver, RedisAddress address, Timing time) {
        this.driver = driver;
        this.address = address;
        this.time = time;
        this.heardNanos = time.nanos();
    }

    /** An idle connection, or a new one. */
    public PooledConnection take(long untilNanos) {
        PooledConnection known = idle();
        return known != null ? known : open(untilNanos);
    }

    /** An idle connection, or null. */
    @Nullable
    PooledConnection idle() {
        return idle.pollFirst();
    }

    PooledConnection open(long untilNanos) {
        if (closed) {
            throw RedisLinkException.local("the client is closed", null);
        }
        int now = era.get();
        return new PooledConnection(this, driver.open(address, time.left(untilNanos)), now);
    }

    @Override
    public void giveBack(PooledConnection lent) {
        if (!lent.isUsable()) {
            lent.end();
            return;
        }
        lent.idle(time.nanos());
        idle.addFirst(lent);
        if (!isCurrent(lent)) { // changed just now
            drop();
        }
    }

    @Override
    public void heard() {
        heardNanos = time.nanos();
    }

    long heardNanos() {
        return heardNanos;
    }

    @Override
    public boolean isCurrent(PooledConnection lent) {
        return lent.era() == era.get() && !closed;
    }

    /** Discards all connections, lent ones when they come back: another server may answer now. */
    public void reset() {
        era.incrementAndGet();
        drop();
    }

    private void drop() {
        for (PooledConnection each : List.copyOf(idle)) {
            if (!isCurrent(each) && idle.remove(each)) { // unless it was lent just now
                each.end();
            }
        }
    }

    /** Closes connections that are no longer needed. */
    public void trim(long nowNanos) {
        PooledConnection oldest = idle.peekLast();
        while (oldest != null
                && oldest != idle.peekFirst()
                && nowNanos - oldest.idleSinceNanos() > KEPT.toNanos()
                && idle.remove(oldest)) {
            oldest.end();
            oldest = idle.peekLast();
        }
    }

    public int idleCount() {
        return idle.size();
    }

    public void close() {
        closed = true;
        drop();
    }
}
