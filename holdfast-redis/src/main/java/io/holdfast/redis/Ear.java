package io.holdfast.redis;

import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisSubscription;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one subscription of this client on one server. Opened when somebody waits there for the first time, then kept.
 *
 * <p><b>States.</b> Idle, then a thread that subscribes, listens, and subscribes again when the connection breaks, until closed. Only between
 * the server's confirmation and the break does the ear {@link #listens}; a claim that asks meanwhile says that it is deaf and asks often. At
 * each change everybody asks again, so that no message is missed for long.
 */
final class Ear implements RedisSubscription.Listener {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration SILENCE = Duration.ofSeconds(6);
    private static final long LEAST_PAUSE_NANOS = 50_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;

    /** Makes the ear of a node. */
    interface Opener {
        Ear open(Node node);
    }

    /** What an ear tells. */
    interface Hearer {
        void heard(Node node, byte[] message, long receivedNanos);

        void missed();

        /** Whether anybody may still wait on this node. */
        boolean isUsed(Node node);
    }

    private final Node node;
    private final RedisDriver driver;
    private final Hearer hearer;
    private final String threadName;
    private @Nullable Thread thread;
    private volatile @Nullable RedisSubscription subscription;
    private volatile @Nullable String heardIncarnation;
    private volatile long lastSignNanos;
    private volatile boolean closed;

    Ear(Node node, RedisDriver driver, Hearer hearer, String threadName) {
        this.node = node;
        this.driver = driver;
        this.hearer = hearer;
        this.threadName = threadName;
    }

    /** Whether a message of this session would be heard. */
    boolean listens(Session session) {
        return session.incarnation().equals(heardIncarnation);
    }

    /** Somebody waits: listens from now on. */
    synchronized void open() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, threadName);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** The server is another one than before. */
    void reopen() {
        RedisSubscription current = subscription;
        heardIncarnation = null;
        if (current != null) {
            current.close();
        }
    }

    /** Looks for a sign of life; called every now and then. A connection that is half open gives none. */
    void check(long nowNanos) {
        RedisSubscription current = subscription;
        if (current == null) {
            return;
        }
        if (heardIncarnation != null && nowNanos - lastSignNanos > SILENCE.toNanos()) {
            LOG.log(Level.INFO, "no sign of life from the subscription on " + node + ", making a new one");
            current.close();
            return;
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
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running != null) {
            LockSupport.unpark(running);
        }
    }

    private void run() {
        long pauseNanos = LEAST_PAUSE_NANOS;
        while (!closed && hearer.isUsed(node)) {
            boolean heard = false;
            try {
                heard = listen();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, () -> "the subscription on " + node + " ended: " + broken.getMessage());
            }
            if (heard) {
                pauseNanos = LEAST_PAUSE_NANOS;
                if (!closed) {
                    hearer.missed();
                }
            }
            LockSupport.parkNanos(closed ? 1 : pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, MOST_PAUSE_NANOS);
        }
        synchronized (this) {
            thread = null;
        }
    }

    /** Listens until the connection breaks. Returns whether there was anything to hear. */
    private boolean listen() {
        Session session = node.session(System.nanoTime() + SILENCE.toNanos());
        try (RedisSubscription made = driver.subscription(node.address(), session.channel(), session.isSharded())) {
            subscription = made;
            pending = session.incarnation();
            if (!closed) {
                made.listen(this);
            }
        } catch (RuntimeException broken) {
            LOG.log(Level.DEBUG, () -> "the subscription on " + node + " broke: " + broken.getMessage());
        } finally {
            subscription = null;
        }
        boolean heard = heardIncarnation != null;
        heardIncarnation = null;
        return heard;
    }

    /** The incarnation that is being subscribed to; touched by the ear's thread only. */
    private String pending = "";

    @Override
    public void subscribed() {
        lastSignNanos = System.nanoTime();
        heardIncarnation = pending;
        hearer.missed();
    }

    @Override
    public void message(byte[] message) {
        long receivedNanos = System.nanoTime();
        lastSignNanos = receivedNanos;
        hearer.heard(node, message, receivedNanos);
    }

    @Override
    public void pong() {
        lastSignNanos = System.nanoTime();
    }
}
