package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;

/** Makes sure that a guarded master's grants count only if its replicas followed it a short while ago. */
public final class Proofs {
    private final Topology topology;
    private final RedisSettings settings;
    private final Timing time;

    public Proofs(Topology topology, RedisSettings settings) {
        this.topology = topology;
        this.settings = settings;
        this.time = settings.time();
    }

    /** Returns if a grant of this server counts, and throws otherwise. */
    public void require(Node node, Session session, long untilNanos) {
        long nowNanos = time.nanos();
        session.following().use();
        if (!session.following().counts(nowNanos)) {
            long requestNanos = settings.requestTimeout().toNanos();
            long leftNanos =
                    Math.max(untilNanos - nowNanos, requestNanos / 4); // the answer may have come at the last moment
            prove(node, session, nowNanos + Math.min(leftNanos, requestNanos));
        }
    }

    /** Renews a proof that is in use, before a caller has to wait for it. */
    public void refresh(Node node, Session session, long untilNanos) {
        if (session.following().isDue(time.nanos())) {
            ask(node, session, untilNanos);
        }
    }

    private void prove(Node node, Session session, long untilNanos) {
        Following following = session.following();
        try {
            following.asking.answer(
                    time,
                    untilNanos,
                    () -> following.counts(time.nanos()) ? following : null,
                    () -> asked(node, session, untilNanos),
                    "another thread still asks the replicas of " + node);
        } catch (RedisReplyException refused) {
            doubt(node);
            throw refused;
        } catch (RedisLinkException trouble) {
            if (!trouble.isLocal()) { // the grant was sent: whether it counts is asked below
                throw trouble;
            }
        }
        if (!following.counts(time.nanos())) {
            doubt(node);
            throw new RedisUnfitException(node + " answered, but fewer than " + following.wanted()
                    + " replicas follow it, so another master may have taken over, and the answer does not count; bring"
                    + " its replicas up, or take it down if it was replaced");
        }
    }

    private Following asked(Node node, Session session, long untilNanos) {
        ask(node, session, untilNanos);
        return session.following();
    }

    /** Another server may be master now. */
    private void doubt(Node node) {
        node.doubt();
        topology.doubt(node.address());
    }

    /** Writes first: without a write of its own, WAIT would count old writes. */
    private void ask(Node node, Session session, long untilNanos) {
        byte[][] write = {
            Bytes.of("PEXPIRE"), Bytes.of(settings.markKey(session.tag())), Bytes.of(RedisSettings.MARK_LIFE.toMillis())
        };
        long sentNanos = time.nanos();
        try (RedisConnection connection = node.connection(session, untilNanos)) {
            Object written = connection.call(time.left(untilNanos), write);
            long replicas = ReplicaWait.on(connection, session.following().wanted(), time.left(untilNanos));
            if (Long.valueOf(1).equals(written)) { // else the mark is gone, and nothing was written
                session.following().followed(replicas, sentNanos);
            }
        }
    }
}
