package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server as this client sees it.
 *
 * <p><b>States.</b> Doubts are counted. A session is trusted if no doubt came since its handshake began. A caller that
 * needs a trusted session does a handshake first; one thread does it, the others wait for it.
 */
public final class Node implements Callers.Server, NodeSubscription.Server, Handshake.Server {
    /** How many round trips a call may need: for a connection, its login, and the call itself. */
    private static final int TRIPS = 4;

    private final RedisAddress address;
    private final Handshake handshake;
    private final Connections connections;
    private final Callers callers;
    private final NodeSubscription subscription;
    private final Timing time;
    private final Runnable unfit;
    private final OneForAll shaking = new OneForAll();
    private final Executor shakers;
    private final AtomicInteger doubts = new AtomicInteger(1);
    private volatile int settledDoubts;
    private volatile @Nullable Session session;
    private volatile long lastShakeNanos;

    /** When the server was found silent: it accepted no connection, or did not answer a request in time. */
    private volatile long silentNanos;

    private volatile boolean silent;

    /** About how long an answer takes. */
    private volatile long roundTripNanos;

    /**
     * @param most how many callers may use a connection at once
     * @param subscriptions makes the subscription of a node
     * @param unfit called when the server cannot be used, because another one may have taken its place
     */
    Node(
            RedisAddress address,
            Handshake handshake,
            Connections connections,
            int most,
            Function<Node, NodeSubscription> subscriptions,
            Runnable unfit) {
        this.address = address;
        this.shakers = OwnThreads.named("holdfast-redis-handshake-" + address);
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

    /** A connection to the server of the session. On a guarded server, a new connection is verified first. */
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

    /** Another server may answer there next: no call before a handshake, and none on an old connection. */
    @Override
    public void broke() {
        doubt();
        connections.reset();
        unfit.run();
    }

    /** Notes how long an answer took. A slow one counts little: the server may have caused it. */
    @Override
    public void answered(long nanos) {
        long known = roundTripNanos;
        if (nanos != known) {
            roundTripNanos = known == 0 || nanos < known ? nanos : known + (nanos - known) / 8;
        }
    }

    /** With less time than this, no answer can be expected. */
    long leastNanos() {
        return Math.min(TRIPS * roundTripNanos, handshake.requestTimeout().toNanos());
    }

    public void close() {
        subscription.close();
        callers.close();
        connections.close();
    }

    /** The current session, trusted or not, or null. */
    @Override
    public @Nullable Session current() {
        return session;
    }

    /** A trusted session, within the time of one request. */
    @Override
    public Session session() {
        return session(time.nanos() + handshake.requestTimeout().toNanos());
    }

    /** A trusted session. */
    @Override
    public Session session(long untilNanos) {
        Session known = trusted();
        return known != null ? known : shake(untilNanos, this::trusted);
    }

    /** The trusted session, if there is one already. */
    @Nullable
    Session trusted() {
        Session known = session;
        return known != null && settledDoubts == doubts.get() ? known : null;
    }

    /** Shakes hands with a server that stays trusted meanwhile, unless that fails. */
    public void look(long untilNanos) {
        long startNanos = time.nanos();
        shake(untilNanos, () -> lastShakeNanos - startNanos > 0 ? trusted() : null);
    }

    /** A slow server gets all the time of a handshake, whatever the caller has: else it would begin anew for ever. */
    private Session shake(long untilNanos, Supplier<@Nullable Session> known) {
        return shaking.answer(
                shakers,
                time,
                untilNanos,
                known,
                this::shake,
                this + " has not yet answered all that a handshake asks");
    }

    private Session shake() {
        Session known = session;
        int seen = doubts.get();
        boolean done = false;
        try {
            Session fresh = handshake.with(this, known);
            done = true;
            lastShakeNanos = time.nanos();
            session = fresh;
            settledDoubts = seen; // a doubt that came meanwhile stays
            silent = false;
            if (known != null && !fresh.isHeardLike(known)) {
                subscription.reopen();
            }
            return fresh;
        } catch (RedisLinkException broken) {
            if (!broken.isLocal()) {
                foundSilent();
                unfit.run(); // a silent server may have been replaced
            }
            throw broken.isUnsent() // the caller's own request was not sent in any case
                    ? broken
                    : RedisLinkException.unreachable(
                            String.valueOf(broken.getMessage()), broken.getCause(), broken.isTimeout());
        } catch (RedisUnfitException wrongServer) {
            unfit.run();
            throw wrongServer;
        } finally {
            if (!done) {
                doubt();
            }
        }
    }

    /** Something is wrong: no call before the next handshake. */
    @Override
    public void doubt() {
        doubts.incrementAndGet();
    }

    /** Notes that the server does not answer. */
    public void foundSilent() {
        silentNanos = time.nanos();
        silent = true;
    }

    /** Whether the server was found silent a moment ago, or is being checked right now. */
    public boolean wasSilent(Duration moment) {
        return silent && (shaking.isAsking() || time.nanos() - silentNanos < moment.toNanos());
    }

    public long lastShakeNanos() {
        return lastShakeNanos;
    }

    @Override
    public String toString() {
        return "Redis at " + address;
    }
}
