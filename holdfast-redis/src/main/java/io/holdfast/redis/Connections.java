package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. Lends the one that was used last, and makes one if none is idle: nobody waits here for anybody else. How many there
 * may be is for the users to limit: {@link Callers} does; renewals and handshakes are few.
 */
final class Connections {
    /** How long a connection is kept that nobody uses. One is kept for good. */
    static final Duration KEPT = Duration.ofSeconds(5);

    private final RedisDriver driver;
    private final RedisAddress address;
    private final Deque<Lent> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger era = new AtomicInteger();
    private volatile boolean closed;

    /** When the server last answered anything. */
    private volatile long heardNanos = System.nanoTime();

    Connections(RedisDriver driver, RedisAddress address) {
        this.driver = driver;
        this.address = address;
    }

    /** One that is idle, or a new one. */
    Lent take(long untilNanos) {
        Lent known = idle();
        return known != null ? known : open(untilNanos);
    }

    /** One that is idle, or null. */
    @Nullable
    Lent idle() {
        return idle.pollFirst();
    }

    Lent open(long untilNanos) {
        if (closed) {
            throw RedisLinkException.local("the client is closed", null);
        }
        int now = era.get();
        return new Lent(this, driver.open(address, Node.patience(untilNanos)), now);
    }

    void giveBack(Lent lent) {
        if (!lent.isUsable()) {
            lent.end();
            return;
        }
        lent.idle(System.nanoTime());
        idle.addFirst(lent);
        if (!isCurrent(lent)) { // changed just now
            drop();
        }
    }

    void heard() {
        heardNanos = System.nanoTime();
    }

    long heardNanos() {
        return heardNanos;
    }

    boolean isCurrent(Lent lent) {
        return lent.era() == era.get() && !closed;
    }

    /** Forgets all of them, those that are lent when they come back: the server may be another one now. */
    void reset() {
        era.incrementAndGet();
        drop();
    }

    private void drop() {
        for (Lent each : List.copyOf(idle)) {
            if (!isCurrent(each) && idle.remove(each)) { // unless somebody took it just now
                each.end();
            }
        }
    }

    /** Ends those that were needed for a rush. */
    void trim(long nowNanos) {
        Lent oldest = idle.peekLast();
        while (oldest != null
                && oldest != idle.peekFirst()
                && nowNanos - oldest.idleSinceNanos() > KEPT.toNanos()
                && idle.remove(oldest)) {
            oldest.end();
            oldest = idle.peekLast();
        }
    }

    int idleCount() {
        return idle.size();
    }

    void close() {
        closed = true;
        drop();
    }
}
