package io.holdfast.redis;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisReplyException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sees to it that what a guarded master gives counts only if its replicas followed it a short while ago. */
final class Proofs {
    private static final long MOST_WAIT_MILLIS = 1_000;

    private final Topology topology;
    private final RedisSettings settings;

    Proofs(Topology topology, RedisSettings settings) {
        this.topology = topology;
        this.settings = settings;
    }

    /** Something came from a server that only the true master may give: returns if it counts. */
    void require(Node node, Session session, long untilNanos) {
        long nowNanos = System.nanoTime();
        session.following().use();
        if (!session.following().counts(nowNanos)) {
            long requestNanos = settings.requestTimeout().toNanos();
            long leftNanos =
                    Math.max(untilNanos - nowNanos, requestNanos / 4); // the answer may have come at the last moment
            prove(node, session, nowNanos + Math.min(leftNanos, requestNanos));
        }
    }

    /** Proves anew what is needed again and again, before anybody has to wait for it. */
    void refresh(Node node, Session session, long untilNanos) {
        if (session.following().isDue(System.nanoTime())) {
            ask(node, session, untilNanos);
        }
    }

    private void prove(Node node, Session session, long untilNanos) {
        Following following = session.following();
        boolean mine = false;
        try {
            mine = following.asking.tryLock(Math.max(1, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (mine && !following.counts(System.nanoTime())) {
                ask(node, session, untilNanos);
            }
        } catch (InterruptedException flag) {
            Thread.currentThread().interrupt();
        } catch (RedisReplyException refused) {
            doubt(node);
            throw refused;
        } finally {
            if (mine) {
                following.asking.unlock();
            }
        }
        if (!following.counts(System.nanoTime())) {
            doubt(node);
            throw new RedisUnfitException(node + " answered, but fewer than " + following.wanted()
                    + " replicas follow it, so another master may have taken over, and the answer does not count; bring its"
                    + " replicas up, or take it down if it was replaced");
        }
    }

    /** Another one may be master. */
    private void doubt(Node node) {
        node.doubt();
        topology.doubt(node.address());
    }

    /** Without a write of its own, WAIT would count what replicas had long ago. */
    private void ask(Node node, Session session, long untilNanos) {
        byte[][] write = {
            Text.bytes("PEXPIRE"),
            Text.bytes(settings.markKey(session.tag())),
            Text.bytes(RedisSettings.MARK_LIFE.toMillis())
        };
        long sentNanos = System.nanoTime();
        try (RedisConnection connection = node.connection(session, untilNanos)) {
            Object written = connection.call(Node.patience(untilNanos), write);
            long replicas = await(connection, session.following().wanted(), untilNanos);
            if (Long.valueOf(1).equals(written)) { // else the mark is gone, and nothing was written
                session.following().followed(replicas, sentNanos);
            }
        }
    }

    /** How many replicas have what this connection wrote, as soon as there are enough. */
    static long await(RedisConnection connection, long wanted, long untilNanos) {
        Duration patience = Node.patience(untilNanos);
        return Text.number(connection.call(
                patience,
                Text.bytes("WAIT"),
                Text.bytes(wanted),
                Text.bytes(Math.max(1, Math.min(patience.toMillis() / 2, MOST_WAIT_MILLIS)))));
    }
}
