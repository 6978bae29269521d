package io.holdfast.redis.servers;

import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.driver.RedisSubscription;
import io.holdfast.redis.settings.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of this client on one server. Opened for the first waiter there, then kept.
 *
 * <p><b>States.</b> Idle, then a thread that subscribes, listens, and subscribes again when the connection breaks,
 * until closed. Only between the server's confirmation and the break does it {@link #listens listen}; a claim that asks
 * at another time says that it is deaf, and asks often. After a break all waiters ask again, so that no message is
 * missed for long.
 */
public final class NodeSubscription implements RedisSubscription.Listener {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration SILENCE = Duration.ofSeconds(6);
    private static final long LEAST_PAUSE_NANOS = 50_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;

    /** The server, as far as its subscription needs it. */
    interface Server {
        RedisAddress address();

        /** The last session, or null. */
        @Nullable
        Session current();

        /** A trusted session. */
        Session session();

        /** Another server may answer there next. */
        void doubt();
    }

    /** Receives messages and doubts. */
    interface Hearer {
        void heard(byte[] message, long receivedNanos);

        /** Messages may have been missed. */
        void missed();

        /** Another server may have taken this one's place. */
        void doubtTopology();

        /** Whether anybody may still wait on this server. */
        boolean isUsed();
    }

    private final Server server;
    private final RedisDriver driver;
    private final Hearer hearer;
    private final ThreadFactory threads;
    private final Timing time;

    /** Guards the thread. */
    private final ReentrantLock mutex = new ReentrantLock();

    private @Nullable Thread thread;
    private volatile @Nullable RedisSubscription subscription;
    private volatile @Nullable Session heard;
    private volatile long lastSignNanos;
    private volatile long pingNanos;
    private volatile boolean closed;

    /** The session that is being subscribed for; touched by the subscription's thread only. */
    private @Nullable Session pending;

    /** The last refusal, so that each is logged once; touched by the subscription's thread only. */
    private String complaint = "";

    NodeSubscription(Server server, RedisDriver driver, Hearer hearer, ThreadFactory threads, Timing time) {
        this.server = server;
        this.time = time;
        this.driver = driver;
        this.hearer = hearer;
        this.threads = threads;
    }

    /** Whether a message of this session would be received. */
    public boolean listens(Session session) {
        Session now = heard;
        return now != null && now.isHeardLike(session);
    }

    /**
     * Listens from now on, because there is a waiter. If no thread can be started, the next one who asks tries again;
     * until then waiters ask often.
     */
    public void open() {
        mutex.lock();
        try {
            if (thread == null && !closed) {
                Thread made = threads.newThread(this::runToTheEnd);
                made.start();
                thread = made;
            }
        } catch (OutOfMemoryError noThread) {
            LOG.log(Level.DEBUG, () -> "nobody listens on " + server + " yet: " + noThread.getMessage());
        } finally {
            mutex.unlock();
        }
    }

    /** Listens to the new server at this address. */
    void reopen() {
        RedisSubscription current = subscription;
        if (current != null) {
            current.close();
        }
    }

    /**
     * Checks regularly whether the subscription is still useful. A half-open connection does not answer pings, and one
     * to an earlier incarnation of the server or to another channel receives nothing.
     */
    public void check(long nowNanos) {
        RedisSubscription current = subscription;
        Session now = server.current();
        if (current == null || now == null) {
            return;
        }
        boolean silent = pingNanos - lastSignNanos > 0 && nowNanos - pingNanos > SILENCE.toNanos();
        Session listening = heard;
        if (silent || (listening != null && !listening.isHeardLike(now)) || !hearer.isUsed()) {
            LOG.log(Level.DEBUG, () -> "the subscription on " + server + " is of no use any more");
            current.close();
            return;
        }
        if (pingNanos - lastSignNanos <= 0) {
            pingNanos = nowNanos;
        }
        try {
            current.ping();
        } catch (RuntimeException broken) {
            current.close();
        }
    }

    void close() {
        closed = true;
        RedisSubscription current = subscription;
        if (current != null) {
            current.close();
        }
        mutex.lock();
        try {
            LockSupport.unpark(thread);
        } finally {
            mutex.unlock();
        }
    }

    private void runToTheEnd() {
        try {
            run();
        } finally {
            mutex.lock();
            try {
                thread = null;
            } finally {
                mutex.unlock();
            }
        }
    }

    private void run() {
        long pauseNanos = LEAST_PAUSE_NANOS;
        while (!closed && hearer.isUsed()) {
            boolean wasHeard = false;
            try {
                wasHeard = listen();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, () -> "the subscription on " + server + " ended: " + broken.getMessage());
            }
            if (wasHeard) {
                pauseNanos = LEAST_PAUSE_NANOS;
                if (!closed) {
                    hearer.missed(); // waiters must not rely on a message
                }
            }
            LockSupport.parkNanos(closed ? 1 : pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, MOST_PAUSE_NANOS);
        }
    }

    /** Listens until the connection breaks. Returns whether the subscription was confirmed. */
    private boolean listen() {
        Session session = server.session();
        if (session.isDeaf()) {
            return false;
        }
        boolean wasHeard;
        try (RedisSubscription made = driver.subscription(server.address(), session.channel(), session.isSharded())) {
            pending = session;
            lastSignNanos = time.nanos();
            pingNanos = lastSignNanos;
            subscription = made;
            if (!closed && session.equals(server.current())) {
                made.listen(this);
            }
        } catch (RedisLinkException broken) {
            server.doubt(); // another server may answer there next
            LOG.log(Level.DEBUG, () -> "the subscription on " + server + " broke: " + broken.getMessage());
        } catch (RedisReplyException refused) {
            if (refused.error() == RedisError.MOVED) {
                hearer.doubtTopology();
                server.doubt();
            }
            if (!refused.reply().equals(complaint)) {
                complaint = refused.reply();
                LOG.log(
                        Level.WARNING,
                        "cannot subscribe on " + server + ", so waiting is slower: " + Printable.of(complaint));
            }
        } finally {
            subscription = null;
            wasHeard = heard != null;
            heard = null;
        }
        return wasHeard;
    }

    @Override
    public void subscribed() {
        lastSignNanos = time.nanos();
        heard = pending; // a claim that was deaf asks every 100 ms, and says next time that it listens
    }

    @Override
    public void message(byte[] message) {
        long receivedNanos = time.nanos();
        lastSignNanos = receivedNanos;
        hearer.heard(message, receivedNanos);
    }

    @Override
    public void pong() {
        lastSignNanos = time.nanos();
    }
}
