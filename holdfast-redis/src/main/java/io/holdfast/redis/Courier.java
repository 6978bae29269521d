package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings one call to the server that has its key. Goes on only where the answer says that nothing was done: no such script, not my slot. Whatever
 * else goes wrong is the caller's to judge.
 */
final class Courier {
    private static final int MOST_STOPS = 5;
    private static final byte[][] ASKING = {Text.bytes("ASKING")};

    /**
     * A reply, and what it says about time.
     *
     * @param node who answered
     * @param session as what
     * @param reply the reply
     * @param sentNanos just before it was sent
     * @param receivedNanos just after it was received
     * @param replicas how many replicas have what was written, if that was asked
     */
    record Answer(
            Node node, Session session, @Nullable Object reply, long sentNanos, long receivedNanos, long replicas) {
        List<?> list() {
            if (reply instanceof List<?> parts) {
                return parts;
            }
            throw new IllegalStateException("expected a list from " + node + ", got " + Text.shown(reply));
        }
    }

    /** What to send, once it is known to whom. */
    interface Command {
        byte[][] to(Node node, Session session);
    }

    private final RedisDriver driver;
    private final Topology topology;
    private final RedisSettings settings;
    private final Handshake handshake;

    Courier(RedisDriver driver, Topology topology, RedisSettings settings, Handshake handshake) {
        this.driver = driver;
        this.topology = topology;
        this.settings = settings;
        this.handshake = handshake;
    }

    /** Calls with what the command says for the session that it will meet. */
    Answer call(String key, long untilNanos, Command command) {
        return call(key, untilNanos, command, false);
    }

    /** As {@link #call}, and if the reply is a grant, waits for the replicas that the settings want. */
    Answer callReplicated(String key, long untilNanos, Command command) {
        return call(key, untilNanos, command, settings.replicas() > 0);
    }

    private Answer call(String key, long untilNanos, Command command, boolean replicated) {
        long startNanos = System.nanoTime();
        @Nullable Node sentTo = null;
        @Nullable Session sentBy = null;
        RuntimeException last = null;
        for (int stop = 0; stop < MOST_STOPS; stop++) {
            Node node = sentTo != null ? sentTo : topology.nodeFor(key, untilNanos);
            Session source = sentTo != null ? sentBy : null;
            sentTo = null;
            try {
                return call(node, untilNanos, source, command, replicated);
            } catch (RedisReplyException refused) {
                last = refused;
                sentTo = next(node, key, refused);
                sentBy = node.trusted();
                sentTo = sentBy == null ? null : sentTo; // nobody answers for what is on its way: look again
            } catch (RedisLinkException broken) {
                boolean impatient = broken.isTimeout()
                        && System.nanoTime() - startNanos
                                < settings.requestTimeout().toNanos();
                if (!broken.isLocal() && !impatient) {
                    broke(node);
                }
                throw broken;
            }
        }
        throw last == null ? new IllegalStateException("no call was made") : last;
    }

    /** @param source who sent us there, for this one call; null if nobody did */
    private Answer call(Node node, long untilNanos, @Nullable Session source, Command command, boolean replicated) {
        Session own = node.session(untilNanos);
        Session session = source == null ? own : own.sentBy(source);
        try (RedisConnection connection = connection(node, session, untilNanos)) {
            byte[][] words = command.to(node, session);
            Duration patience = Node.patience(untilNanos);
            long sentNanos = System.nanoTime();
            Object reply;
            if (source != null) {
                reply = connection.pipeline(patience, List.of(ASKING, words)).get(1);
                if (reply instanceof RedisReplyException refused) {
                    throw refused;
                }
            } else {
                reply = connection.call(patience, words);
            }
            long receivedNanos = System.nanoTime();
            boolean granted = replicated && (!(reply instanceof List<?> parts) || Text.number(parts.get(0)) == 1);
            long replicas = granted ? replicas(connection) : 0;
            return new Answer(node, session, reply, sentNanos, receivedNanos, replicas);
        }
    }

    /** A call whose reply is still to be read. */
    record Sent(Node node, Session session, RedisConnection connection, long sentNanos) {}

    /** Sends a call and does not wait; null if something has to be waited for first. */
    @Nullable
    Sent send(String key, long untilNanos, Command command) {
        Node node = topology.nodeFor(key, untilNanos);
        Session session = node.trusted();
        if (session == null || settings.replicas() > 0) {
            return null;
        }
        RedisConnection connection;
        try {
            connection = connection(node, session, untilNanos);
        } catch (RedisReplyException another) {
            return null; // server than before: shake hands first
        }
        try {
            byte[][] words = command.to(node, session);
            long sentNanos = System.nanoTime();
            connection.send(words);
            return new Sent(node, session, connection, sentNanos);
        } catch (RedisReplyException another) {
            connection.close();
            return null; // shard than the one that answers for it, by all that is known
        } catch (RuntimeException | Error failure) {
            connection.close();
            throw failure;
        }
    }

    /** The reply to what was sent; or to what is called again, if the server did nothing. */
    Answer receive(Sent sent, String key, long untilNanos, Command command) {
        try (RedisConnection connection = sent.connection) {
            Object reply = connection.receive(Node.patience(untilNanos));
            return new Answer(sent.node, sent.session, reply, sent.sentNanos, System.nanoTime(), 0);
        } catch (RedisReplyException refused) {
            next(sent.node, key, refused);
        } catch (RedisLinkException broken) {
            if (!broken.isLocal() && !broken.isTimeout()) {
                broke(sent.node);
            }
            throw broken;
        }
        return call(key, untilNanos, command);
    }

    /** A connection to the server that the session is about. A guarded one is asked who it is if nobody did before. */
    RedisConnection connection(Node node, Session session, long untilNanos) {
        RedisConnection connection = driver.connection(node.address(), Node.patience(untilNanos));
        try {
            if (settings.isStrict() && connection.isNew() && !handshake.isStill(session, connection, untilNanos)) {
                node.doubt();
                throw new RedisReplyException(node.address(), "NOSCRIPT it is another server than before");
            }
            return connection;
        } catch (RuntimeException | Error failure) {
            connection.close();
            throw failure;
        }
    }

    /** WAIT looks at what its own connection wrote, so it must be the same one. */
    private long replicas(RedisConnection connection) {
        Duration timeout = settings.replicasTimeout();
        return Text.number(connection.call(
                timeout.plus(settings.requestTimeout()),
                Text.bytes("WAIT"),
                Text.bytes(settings.replicas()),
                Text.bytes(timeout.toMillis())));
    }

    /** Where to go on after an answer that says that nothing was done: to another server, or null to look again. */
    private @Nullable Node next(Node node, String key, RedisReplyException refused) {
        String reply = refused.reply();
        if (reply.startsWith("NOSCRIPT")) {
            node.doubt();
            return null;
        }
        if (reply.startsWith("MOVED ")) {
            topology.moved(Slots.of(key), target(node, reply));
            return null;
        }
        if (reply.startsWith("ASK ")) {
            return topology.nodeAt(target(node, reply));
        }
        if (reply.contains("READONLY") || reply.startsWith("CLUSTERDOWN") || reply.startsWith("MASTERDOWN")) {
            topology.doubt();
            node.doubt();
            driver.reset(node.address());
        }
        throw refused;
    }

    private static RedisAddress target(Node node, String reply) {
        String address = reply.substring(reply.lastIndexOf(' ') + 1);
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        return new RedisAddress(
                host.isEmpty() ? node.address().host() : host, Integer.parseInt(address.substring(colon + 1)));
    }

    /** Whether to look once more where a slot is and who answers for it; not if that was done since a call was made. */
    boolean looksAgain(Node node, long sinceNanos) {
        topology.doubt();
        return node.lastShakeNanos() - sinceNanos < 0;
    }

    /** Nobody knows who answers there next: no call before a handshake, and not on an old connection. */
    void broke(Node node) {
        node.doubt();
        driver.reset(node.address());
        topology.doubt();
    }
}
