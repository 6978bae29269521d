package io.holdfast.zookeeper.backend;

import io.holdfast.spi.TimeSource;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * One session, and until when it is certain to last: see {@link Carried}. Its ephemeral nodes live as long as it does.
 *
 * <p>A read proves nothing, because a server that is cut off from the others still answers it. A write proves that the
 * session lived, and that whatever is read behind it is not older.
 */
final class Session {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");

    /** A server that says nothing for this part of a session is left. */
    private static final int SILENCE = 6;

    private final ZooKeeper zooKeeper;
    private final Nodes nodes;
    private final String ownPath;
    private final Beats beats;
    private final TimeSource time;
    private final AtomicBoolean expired = new AtomicBoolean();
    private final AtomicBoolean beating = new AtomicBoolean();
    private final Duration silence;
    private final long silenceNanos;

    /** When the beat was sent that is under way, or the connection ended because of it; for the maintenance alone. */
    private long sentNanos;

    /**
     * A session that was just opened.
     *
     * @param ownPath the node that says that this client lives
     * @param beganNanos an instant before it was asked for
     */
    Session(ZooKeeper zooKeeper, Nodes nodes, String ownPath, ZooKeeperSettings settings, long beganNanos) {
        this.zooKeeper = zooKeeper;
        this.nodes = nodes;
        this.ownPath = ownPath;
        this.time = settings.time();
        this.silence = settings.session().dividedBy(SILENCE);
        this.silenceNanos = silence.toNanos();
        this.beats = new Beats(settings.session(), settings.tick(), beganNanos, time.nanoTime());
    }

    ZooKeeper zooKeeper() {
        return zooKeeper;
    }

    Nodes nodes() {
        return nodes;
    }

    boolean isExpired() {
        return expired.get();
    }

    /** Tells whether it was not known before. */
    boolean expire() {
        return expired.compareAndSet(false, true);
    }

    boolean isConnected() {
        return !isExpired() && zooKeeper.getState().isConnected();
    }

    long id() {
        return zooKeeper.getSessionId();
    }

    /** As {@link Beats#left}. */
    Duration left(Duration lease, long startNanos) {
        return beats.left(lease, startNanos);
    }

    /** Sends a beat if it is time for one, and none is under way. One that stays away for long gets another server. */
    void beat(byte[] record) {
        long nowNanos = time.nanoTime();
        if (beats.isDue(nowNanos) && beating.compareAndSet(false, true)) {
            sentNanos = nowNanos;
            barrier(record).whenComplete((stat, failure) -> {
                if (failure == null) {
                    beats.answered(nowNanos, time.nanoTime());
                }
                beating.set(false);
            });
        } else if (beating.get() && nowNanos - sentNanos > silenceNanos && isConnected()) {
            sentNanos = nowNanos;
            hangUp();
        }
    }

    /**
     * Ends the connection, and ZooKeeper's client looks for another one. By itself it does so after two thirds of a
     * session without a word, when every lease is over.
     */
    private void hangUp() {
        LOG.log(Level.INFO, "a server has not answered for {0}, and is left for another one", silence);
        try {
            zooKeeper.getTestable().closeSocket();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "the connection had ended", gone);
        }
    }

    /** Writes to the client's own node: what is read behind it shows everything that this session did before. */
    CompletableFuture<Stat> barrier(byte[] record) {
        CompletableFuture<Stat> written = nodes.write(ownPath, record);
        return written.handle((stat, failure) -> failure != null
                                && Answers.keeper(failure) instanceof KeeperException.NoNodeException
                        ? nodes.create(ownPath, record, CreateMode.EPHEMERAL).thenApply(Nodes.Created::stat)
                        : written)
                .thenCompose(each -> each);
    }
}
