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
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one subscription of this client on one server. Opened when somebody waits there for the first time, then kept.
 *
 * <p><b>States.</b> Idle, then a thread that subscribes, listens, and subscribes again when the connection breaks, until closed. Only between
 * the server's confirmation and the break does it {@link #listens listen}; a claim that asks meanwhile says that it is deaf and asks often. At
 * a break everybody asks again, so that no message is missed for long.
 */
public final class NodeSubscription implements RedisSubscription.Listener {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration SILENCE = Duration.ofSeconds(6);
    private static final long LEAST_PAUSE_NANOS = 50_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;

    /** The server, as far as its subscription needs it. */
    interface Server {
        RedisAddress address();

        /** As what it was last met, or null. */
        @Nullable
        Session current();

        /** As what it was met, trusted. */
        Session session();

        /** Somebody else may answer there next. */
        void doubt();
    }

    /** Who is told. */
    interface Hearer {
        void heard(byte[] message, long receivedNanos);

        /** Messages may have been missed. */
        void missed();

        /** Another server may be meant than this one. */
        void doubtTopology();

        /** Whether anybody may still wait on this server. */
        boolean isUsed();
    }

    private final Server server;
    private final RedisDriver driver;
    private final Hearer hearer;
    private final String threadName;
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

    /** The last refusal, so that each is told once; touched by the subscription's thread only. */
    private String complaint = "";

    NodeSubscription(Server server, RedisDriver driver, Hearer hearer, String threadName, Timing time) {
        this.server = server;
        this.time = time;
        this.driver = driver;
        this.hearer = hearer;
        this.threadName = threadName;
    }

    /** Whether a message of this session would be heard. */
    public boolean listens(Session session) {
        Session now = heard;
        return now != null && now.isHeardLike(session);
    }

    /** Somebody waits: listens from now on. */
    public void open() {
        mutex.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(this::runToTheEnd, threadName);
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            mutex.unlock();
        }
    }

    /** The server is another one than before. */
    void reopen() {
        RedisSubscription current = subscription;
        if (current != null) {
            current.close();
        }
    }

    /**
     * Looks whether the subscription is still of use; called every now and then. A connection that is half open gives no sign of life, and one
     * to what the server was before, or to another channel, is not worth much.
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
                    hearer.missed(); // whoever counts on a message must not
                }
            }
            LockSupport.parkNanos(closed ? 1 : pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, MOST_PAUSE_NANOS);
        }
    }

    /** Listens until the connection breaks. Returns whether there was anything to hear. */
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
            server.doubt(); // whoever answers there next may be another one
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
        heard = pending; // who was deaf meanwhile asks every 100 ms, and says so next time
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
