package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call to the server that has its key. Repeats it only if the answer says that nothing was done: an unknown
 * script, or a slot on another server. Any other failure goes to the caller.
 */
public final class NodeCaller {
    private static final int MOST_STOPS = 5;

    /** How long one of several calls may wait to be sent. It is sent or refused long before. */
    private static final long LINE_NANOS = 60_000_000_000L;

    /** The least time for a second call. */
    private static final long LEAST_NANOS = 50_000_000;

    private static final byte[][] ASKING = {Bytes.of("ASKING")};

    /** Makes the command for a session. */
    public interface Command {
        byte[][] to(Node node, Session session);
    }

    private final Topology topology;
    private final RedisSettings settings;
    private final Timing time;
    private final Redirects redirects;

    public NodeCaller(Topology topology, RedisSettings settings) {
        this.topology = topology;
        this.settings = settings;
        this.time = settings.time();
        this.redirects = new Redirects(topology, settings);
    }

    /** One call on its way, perhaps over several stops. */
    private static final class Trip {
        private final Command command;
        private final long untilNanos;
        private final boolean replicated;

        /** Whether it bypasses the line of callers, on a connection of its own. */
        private final boolean aside;

        /** Whether the caller began with time for a whole request: then it gets that again when its turn comes. */
        private final boolean patient;

        /** Whether it waited for its turn. */
        private boolean queued;

        private long queuedNanos;

        /** Whether the last connection may have been dead before it was used. */
        private boolean stale;

        /** Whether the last break was reported already, or says nothing about the server. */
        private boolean told;

        Trip(Command command, long untilNanos, boolean patient, boolean replicated, boolean aside) {
            this.command = command;
            this.untilNanos = untilNanos;
            this.patient = patient;
            this.replicated = replicated;
            this.aside = aside;
        }
    }

    /** Sends the command that is made for the session of the key's server. */
    public Answer call(String key, long untilNanos, Command command) {
        return call(key, trip(command, untilNanos, false, false));
    }

    /** As {@link #call}; after a grant, waits for the replicas that the settings require. */
    public Answer callReplicated(String key, long untilNanos, Command command) {
        return call(key, trip(command, untilNanos, settings.replicas() > 0, false));
    }

    /** As {@link #call}, but not in the line of callers: for work that no caller waits for. */
    public Answer callAside(String key, long untilNanos, Command command) {
        return call(key, trip(command, untilNanos, false, true));
    }

    private Trip trip(Command command, long untilNanos, boolean replicated, boolean aside) {
        return new Trip(command, untilNanos, isPatient(time.nanos(), untilNanos), replicated, aside);
    }

    /** Whether there is time for a whole request. */
    private boolean isPatient(long nowNanos, long untilNanos) {
        return untilNanos - nowNanos >= settings.requestTimeout().toNanos() * 9 / 10;
    }

    /** With less time than this, no answer can be expected. */
    public Duration leastPatience(String key) {
        Node node = topology.lastNodeFor(key); // asking who it is would take time that the caller does not have
        return Duration.ofNanos(node == null ? 0 : node.leastNanos());
    }

    /** The end of a request that begins now, or of the caller's time if that is sooner. */
    private long soon(long untilNanos) {
        long nowNanos = time.nanos();
        long requestNanos = settings.requestTimeout().toNanos();
        return untilNanos - nowNanos < requestNanos ? untilNanos : nowNanos + requestNanos;
    }

    /** The same for a call that may have waited for its turn. */
    private long soon(Trip trip) {
        return trip.queued && trip.patient
                ? time.nanos() + settings.requestTimeout().toNanos()
                : soon(trip.untilNanos);
    }

    private Answer call(String key, Trip trip) {
        @Nullable Node sentTo = null;
        @Nullable Session sentBy = null;
        RuntimeException last = null;
        RedisLinkException first = null;
        for (int stop = 0; stop < MOST_STOPS; stop++) {
            Node node = sentTo != null ? sentTo : topology.nodeFor(key, soon(trip));
            Session source = sentTo != null ? sentBy : null;
            sentTo = null;
            long beganNanos = time.nanos();
            try {
                Answer answer = call(node, trip, source);
                return first == null ? answer : answer.again();
            } catch (RedisReplyException refused) {
                last = refused;
                sentTo = redirects.next(node, key, refused, soon(trip));
                sentBy = node.trusted();
                sentTo = sentBy == null ? null : sentTo; // the source of the slot is lost: look again
            } catch (RedisLinkException broken) {
                last = broken;
                if (!broken.isLocal() && !trip.told && !isImpatient(broken, beganNanos, trip)) {
                    node.broke();
                }
                if (first != null) {
                    throw first; // its outcome is unknown
                }
                if (!trip.stale) {
                    throw broken;
                }
                first = broken; // the connection was dead: once more, which changes nothing if the first was executed
            }
        }
        throw last == null ? new IllegalStateException("no call was made") : last;
    }

    /** @param source the server that redirected this one call, or null */
    private Answer call(Node node, Trip trip, @Nullable Session source) {
        trip.stale = false;
        trip.told = false;
        if (trip.aside) {
            Session session = node.session(soon(trip));
            try (PooledConnection lent = node.connection(session, soon(trip))) {
                return ask(node, sentBy(session, source), lent, trip, source != null);
            }
        }
        Callers callers = node.callers();
        PooledConnection lent = null;
        if (!callers.enter()) {
            WaitingCall call = new WaitingCall(
                    met -> trip.command.to(node, met),
                    time,
                    trip.untilNanos,
                    trip.patient ? 2 * settings.requestTimeout().toNanos() : 0,
                    source != null || trip.replicated,
                    true);
            if (!callers.enterOr(call)) {
                trip.queuedNanos = trip.queued ? trip.queuedNanos : time.nanos();
                trip.queued = true;
                Answer answer = awaited(node, call, trip);
                if (answer != null) {
                    return answer;
                }
                lent = call.connection();
            }
        }
        try {
            Session session =
                    node.session(soon(trip)); // in here: a crowd does not wait for a handshake, its carriers do
            lent = lent != null ? lent : node.connection(session, soon(trip));
            return ask(node, sentBy(session, source), lent, trip, source != null);
        } finally {
            callers.leave(lent);
        }
    }

    private static Session sentBy(Session own, @Nullable Session source) {
        return source == null ? own : own.sentBy(source);
    }

    private static @Nullable Answer awaited(Node node, WaitingCall call, Trip trip) {
        try {
            WaitingCall.Answer answer = call.await(node, node.callers().busy());
            return answer == null
                    ? null
                    : new Answer(
                            node,
                            answer.session(),
                            answer.reply(),
                            answer.queuedNanos(),
                            answer.sentNanos(),
                            answer.receivedNanos());
        } catch (RedisLinkException broken) {
            trip.stale = call.isStale();
            trip.told = true;
            throw broken;
        }
    }

    private Answer ask(Node node, Session session, PooledConnection lent, Trip trip, boolean asking) {
        byte[][] words = trip.command.to(node, session);
        long sentNanos = time.nanos();
        long untilNanos = soon(trip);
        try {
            Object reply;
            if (asking) {
                reply = lent.pipeline(time.left(untilNanos), List.of(ASKING, words))
                        .get(1);
                if (reply instanceof RedisReplyException refused) {
                    throw refused;
                }
            } else {
                reply = lent.call(time.left(untilNanos), words);
            }
            long receivedNanos = time.nanos();
            node.answered(receivedNanos - sentNanos);
            boolean granted =
                    trip.replicated && (!(reply instanceof List<?> parts) || Replies.number(parts.get(0)) == 1);
            long replicas = granted ? replicas(lent) : 0;
            long queuedNanos = trip.queued ? trip.queuedNanos : sentNanos;
            return new Answer(node, session, reply, queuedNanos, sentNanos, receivedNanos, replicas, false);
        } catch (RedisLinkException broken) {
            trip.stale = !lent.isNew() && !broken.isTimeout();
            trip.told = isImpatient(broken, sentNanos, trip);
            node.callers().unanswered(sentNanos, broken);
            throw broken;
        }
    }

    /** Whether only the caller's time was too short: that says nothing about the server. */
    private boolean isImpatient(RedisLinkException broken, long beganNanos, Trip trip) {
        return broken.isTimeout() && !(trip.queued && trip.patient) && !isPatient(beganNanos, trip.untilNanos);
    }

    /** A call whose reply is still to be read, by the caller itself or by a carrier. */
    public record Sent(
            Node node,
            Session session,
            @Nullable PooledConnection lent,
            @Nullable WaitingCall call,
            long sentNanos) {}

    /** Sends a call, or has it sent, without waiting; null if something has to be waited for first. */
    @Nullable
    public Sent send(String key, long untilNanos, Command command) {
        Node node = topology.nodeFor(key, soon(untilNanos));
        Session session = node.trusted();
        if (session == null || settings.replicas() > 0) {
            return null;
        }
        Callers callers = node.callers();
        if (!callers.enter()) {
            long nowNanos = time.nanos(); // it is not the server's fault if it is not sent yet
            WaitingCall call = new WaitingCall(
                    met -> command.to(node, met), time, nowNanos + LINE_NANOS, untilNanos - nowNanos, false, false);
            if (!callers.enterOr(call)) {
                return new Sent(node, session, null, call, 0);
            }
        }
        PooledConnection lent = null;
        try {
            lent = node.connection(session, soon(untilNanos));
            byte[][] words = command.to(node, session);
            long sentNanos = time.nanos();
            lent.send(List.<byte[][]>of(words));
            return new Sent(node, session, lent, null, sentNanos);
        } catch (RedisReplyException another) {
            callers.leave(lent);
            return null; // server than before, or than the one that answers for it
        } catch (RedisLinkException broken) {
            boolean stale = lent != null && !lent.isNew() && !broken.isTimeout();
            callers.leave(lent);
            if (!stale) {
                throw broken;
            }
            node.broke();
            return null; // the connection was dead: once more, which changes nothing if the first was executed
        } catch (RuntimeException | Error failure) {
            callers.leave(lent);
            throw failure;
        }
    }

    /** The reply to what was sent, or to a second call if the server did nothing. */
    public Answer receive(Sent sent, String key, long untilNanos, Command command) {
        Node node = sent.node;
        Trip trip = trip(command, untilNanos, false, false);
        try {
            return sent.lent == null
                    ? Objects.requireNonNull(awaited(node, Objects.requireNonNull(sent.call), trip))
                    : received(sent, sent.lent, trip);
        } catch (RedisReplyException refused) {
            redirects.next(node, key, refused, soon(untilNanos));
        } catch (RedisLinkException broken) {
            if (!broken.isLocal() && !broken.isTimeout() && !trip.told) {
                node.broke();
            }
            if (!trip.stale) {
                throw broken;
            }
        }
        long leastNanos = time.nanos() + LEAST_NANOS; // for one that waited for its turn
        Answer answer = call(key, untilNanos - leastNanos < 0 ? leastNanos : untilNanos, command);
        return trip.stale ? answer.again() : answer;
    }

    private Answer received(Sent sent, PooledConnection lent, Trip trip) {
        try {
            Object reply = lent.receive(time.left(trip.untilNanos));
            return new Answer(sent.node, sent.session, reply, sent.sentNanos, sent.sentNanos, time.nanos());
        } catch (RedisLinkException broken) {
            trip.stale = !lent.isNew() && !broken.isTimeout();
            sent.node.callers().unanswered(sent.sentNanos, broken);
            throw broken;
        } finally {
            sent.node.callers().leave(lent);
        }
    }

    private long replicas(RedisConnection connection) {
        Duration timeout = settings.replicasTimeout();
        return ReplicaWait.on(connection, settings.replicas(), timeout, timeout.plus(settings.requestTimeout()));
    }

    /** Whether to look up the server of a slot once more; not if that was done since the call was made. */
    public boolean looksAgain(Node node, long sinceNanos) {
        topology.doubt();
        return node.lastShakeNanos() - sinceNanos < 0;
    }
}
