package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One server as this client sees it.
 *
 * <p><b>States.</b> No session, then a session, which is trusted until somebody doubts it. Whoever needs a session that is doubted shakes hands
 * first; one does it, the others wait for it. A handshake that finds the same incarnation keeps the session.
 */
final class Node {
    private final RedisAddress address;
    private final Handshake handshake;
    private final Ear ear;
    private final ReentrantLock shaking = new ReentrantLock();
    private volatile @Nullable Session session;
    private volatile boolean doubted;
    private volatile long lastShakeNanos;

    /** When the server was found silent: it took no connection, or kept a request for too long. */
    private volatile long silentNanos;

    private volatile boolean silent;

    Node(RedisAddress address, Handshake handshake, Ear.Opener ears) {
        this.address = address;
        this.handshake = handshake;
        this.ear = ears.open(this);
    }

    RedisAddress address() {
        return address;
    }

    Ear ear() {
        return ear;
    }

    /** The session as it is, or null. */
    @Nullable
    Session current() {
        return session;
    }

    /** A session that nobody doubts. */
    Session session(long untilNanos) {
        Session known = session;
        return known != null && !doubted ? known : shake(untilNanos);
    }

    private Session shake(long untilNanos) {
        boolean mine = false;
        boolean interrupted = false;
        try {
            while (!mine) {
                try {
                    mine = shaking.tryLock(Math.max(1, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                    if (!mine) {
                        throw new RedisLinkException(
                                "Redis at " + address + ": another thread still waits for it", null);
                    }
                } catch (InterruptedException flag) {
                    interrupted = true;
                }
            }
            Session known = session;
            if (known != null && !doubted) {
                return known;
            }
            doubted = false; // before looking: a doubt that comes meanwhile must stay
            try {
                Session fresh = handshake.with(this, known, patience(untilNanos));
                lastShakeNanos = System.nanoTime();
                session = fresh;
                if (known != null && !known.incarnation().equals(fresh.incarnation())) {
                    ear.reopen();
                }
                silent = false;
                return fresh;
            } catch (RuntimeException unfit) {
                doubted = true;
                if (unfit instanceof RedisLinkException) {
                    isSilent();
                }
                throw unfit;
            }
        } finally {
            if (mine) {
                shaking.unlock();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static Duration patience(long untilNanos) {
        return Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime()));
    }

    /** Something does not fit: no call before the next handshake. */
    void doubt() {
        doubted = true;
    }

    /** Nobody answers. */
    void isSilent() {
        silentNanos = System.nanoTime();
        silent = true;
    }

    /** Whether somebody found the server silent a moment ago. */
    boolean wasSilent(Duration moment) {
        return silent && System.nanoTime() - silentNanos < moment.toNanos();
    }

    long lastShakeNanos() {
        return lastShakeNanos;
    }

    @Override
    public String toString() {
        return "Redis at " + address;
    }
}
