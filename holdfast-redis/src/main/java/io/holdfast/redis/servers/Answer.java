package io.holdfast.redis.servers;

import io.holdfast.redis.protocol.Replies;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply and its times.
 *
 * @param node the server that answered
 * @param session its session then
 * @param reply the reply
 * @param queuedNanos when the call began to wait for a connection, or was sent if it did not wait
 * @param sentNanos just before it was sent
 * @param receivedNanos just after it was received
 * @param replicas how many replicas have what was written, if that was requested
 * @param repeated whether the same request was sent before with an unknown outcome
 */
public record Answer(
        Node node,
        Session session,
        @Nullable Object reply,
        long queuedNanos,
        long sentNanos,
        long receivedNanos,
        long replicas,
        boolean repeated) {
    Answer(Node node, Session session, @Nullable Object reply, long queuedNanos, long sentNanos, long receivedNanos) {
        this(node, session, reply, queuedNanos, sentNanos, receivedNanos, 0, false);
    }

    Answer again() {
        return new Answer(node, session, reply, queuedNanos, sentNanos, receivedNanos, replicas, true);
    }

    /** How long it waited for a connection. */
    public Duration waited() {
        return Duration.ofNanos(sentNanos - queuedNanos);
    }

    public List<?> list() {
        if (reply instanceof List<?> parts) {
            return parts;
        }
        throw new IllegalStateException("expected a list from " + node + ", got " + Replies.shown(reply));
    }
}
