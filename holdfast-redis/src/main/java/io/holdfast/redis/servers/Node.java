package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server as this client sees it.
 *
 * <p><b>States.</b> Doubts are counted. A session is trusted if no doubt came since the handshake that made it was begun; whoever needs one that
 * is trusted shakes hands first. One does it, the others wait for it.
 */
public final class Node implements Callers.Server, NodeSubscription.Server, Handshake.Server {
    /** How many round trips a call may need: a connection, its login, and the call itself. */
    private static final int TRIPS = 4;

    private final RedisAddress address;
    private final Handshake handshake;
    private final Connections connections;
    private final Callers callers;
    private final NodeSubscription subscription;
    private final Timing time;
    private final Runnable unfit;
    private final ReentrantLock shaking = new ReentrantLock();
    private final AtomicInteger doubts = new AtomicInteger(1);
    private volatile int settledDoubts;
    private volatile @Nullable Session session;
    private volatile long lastShakeNanos;

    /** When the server was found silent: it took no connection, or kept a request for too long. */
    private volatile long silentNanos;

    private volatile boolean silent;

    /** How long an answer takes, about. */
    private volatile long roundTripNanos;

    /**
     * @param most how many callers may use a connection at once
     * @param subscriptions makes the subscription of a node
     * @param unfit called when the server cannot be used, because another one may be meant
     */
    Node(
            RedisAddress address,
            Handshake handshake,
            Connections connections,
            int most,
            Function<Node, NodeSubscription> subscriptions,
            Runnable unfit) {
        this.address = address;
        this.handshake = handshake;
        this.connections = connections;
        this.time = handshake.time();
        this.lastShakeNanos = time.nanos();
        this.callers = new Callers(this, most, handshake.requestTimeout(), time);
        this.subscription = subscriptions.apply(this);
        this.unfit = unfit;
    }

    @Override
    public RedisAddress address() {
        return address;
    }

    public NodeSubscription subscription() {
        return subscription;
    }

    @Override
    public Connections connections() {
        return connections;
    }

    @Override
    public long heardNanos() {
        return connections.heardNanos();
    }

    Callers callers() {
        return callers;
    }

    /** A connection to the server that the session is about. A guarded one is asked who it is if nobody did before. */
    @Override
    public PooledConnection connection(Session met, long untilNanos) {
        return checked(connections.take(untilNanos), met, untilNanos);
    }

    private PooledConnection checked(PooledConnection lent, Session met, long untilNanos) {
        try {
            if (lent.isNew() && !handshake.isStill(met, lent, untilNanos)) {
                doubt();
                throw new RedisReplyException(address, RedisError.NOSCRIPT + " it is another server than before");
            }
            return lent;
        } catch (RuntimeException | Error failure) {
            lent.close();
            throw failure;
        }
    }

    /** Nobody knows who answers there next: no call before a handshake, and not on an old connection. */
    @Override
    public void broke() {
        doubt();
        connections.reset();
        unfit.run();
    }

    /** An answer took so long. A slow one counts little: it may have been the server's fault. */
    @Override
    public void answered(long nanos) {
        long known = roundTripNanos;
        if (nanos != known) {
            roundTripNanos = known == 0 || nanos < known ? nanos : known + (nanos - known) / 8;
        }
    }

    /** With less time than that nobody can expect an answer. */
    long leastNanos() {
        return Math.min(TRIPS * roundTripNanos, handshake.requestTimeout().toNanos());
    }

    public void close() {
        subscription.close();
        callers.close();
        connections.close();
    }

    /** The session as it is, trusted or not, or null. */
    @Override
    public @Nullable Session current() {
        return session;
    }

    /** A session that nobody doubts, within the time of one request: nobody else learns more meanwhile. */
    @Override
    public Session session() {
        return session(time.nanos() + handshake.requestTimeout().toNanos());
    }

    /** A session that nobody doubts. */
    @Override
    public Session session(long untilNanos) {
        Session known = trusted();
        return known != null ? known : shake(untilNanos);
    }

    /** A session that nobody doubts, if there is one already. */
    @Nullable
    Session trusted() {
        Session known = session;
        return known != null && settledDoubts == doubts.get() ? known : null;
    }

    private Session shake(long untilNanos) {
        long startNanos = time.nanos();
        lockUntil(untilNanos);
        try {
            Session known = session;
            int seen = doubts.get();
            if (known != null && settledDoubts == seen) {
                return known;
            }
            Session fresh = handshake.with(this, known, untilNanos);
            lastShakeNanos = time.nanos();
            session = fresh;
            settledDoubts = seen; // a doubt that came meanwhile stays
            silent = false;
            if (known != null && !fresh.isHeardLike(known)) {
                subscription.reopen();
            }
            return fresh;
        } catch (RedisLinkException broken) {
            boolean patient = handshake.isPatient(untilNanos - startNanos);
            if (!broken.isLocal() && patient) {
                foundSilent();
            }
            if (!broken.isLocal() && (patient || !broken.isTimeout())) {
                unfit.run(); // who has fallen silent may have been replaced
            }
            throw broken.isUnsent() // what this is about was not sent in any case
                    ? broken
                    : RedisLinkException.unreachable(
                            String.valueOf(broken.getMessage()), broken.getCause(), broken.isTimeout());
        } catch (RedisUnfitException wrongServer) {
            unfit.run();
            throw wrongServer;
        } finally {
            shaking.unlock();
        }
    }

    private void lockUntil(long untilNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (shaking.tryLock(Math.max(1, untilNanos - time.nanos()), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw RedisLinkException.local("another thread still waits for " + this, null);
                } catch (InterruptedException flag) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Something does not fit: no call before the next handshake. */
    @Override
    public void doubt() {
        doubts.incrementAndGet();
    }

    /** Nobody answers. */
    public void foundSilent() {
        silentNanos = time.nanos();
        silent = true;
    }

    /** Whether somebody found the server silent a moment ago, or is finding out right now whether it still is. */
    public boolean wasSilent(Duration moment) {
        return silent && (shaking.isLocked() || time.nanos() - silentNanos < moment.toNanos());
    }

    public long lastShakeNanos() {
        return lastShakeNanos;
    }

    @Override
    public String toString() {
        return "Redis at " + address;
    }
}
