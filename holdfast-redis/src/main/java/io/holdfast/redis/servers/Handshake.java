package io.holdfast.redis.servers;

import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.ClusterSlots;
import io.holdfast.redis.protocol.CutOff;
import io.holdfast.redis.protocol.Mark;
import io.holdfast.redis.protocol.RedisUnfitException;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.protocol.ServerInfo;
import io.holdfast.redis.protocol.ServerRules;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.ServerClock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a server can be trusted with locks, before the first call and after each doubt. All of it uses one
 * connection, which is one process: the server that is checked is the one that gets the scripts.
 */
public final class Handshake {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    /** How many hash tags are tried while slots move. */
    private static final int MOST_TAGS = 4;

    /** How many times as long as one request a handshake may take. It asks about eight questions. */
    private static final int MOST_REQUESTS = 4;

    /** The server, as far as a handshake needs it. */
    interface Server {
        RedisAddress address();

        Connections connections();

        /** Notes how long an answer took. */
        void answered(long nanos);
    }

    /** Finds the hash tag of a server in a cluster. */
    public interface Tags {
        /**
         * A tag whose slot the server owns, if possible the same as before. Empty if it owns none, or without slots.
         *
         * @param skip how many tags to skip, because their slots are moving
         */
        String tagOf(RedisAddress server, String before, int skip);
    }

    /** The state of a server's guard. */
    private record Guarded(Gate gate, Tenure tenure) {}

    private final RedisSettings settings;
    private final Timing time;
    private final String clientId;
    private final Tags tags;
    private final boolean cluster;
    private final boolean replaceable;
    private final TokenFloor floor;

    /** Servers whose settings were checked already. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Whether the client is being opened: only then does startEmpty count. */
    private volatile boolean opening = true;

    /** Whether a clock was found good enough to begin with. */
    private volatile boolean begun;

    public Handshake(RedisSettings settings, String clientId, Tags tags, RedisUrl.Mode mode, TokenFloor floor) {
        this.settings = settings;
        this.time = settings.time();
        this.clientId = clientId;
        this.tags = tags;
        this.cluster = mode == RedisUrl.Mode.CLUSTER;
        this.replaceable = mode != RedisUrl.Mode.SINGLE;
        this.floor = floor;
    }

    /** The client is open: from now on, startEmpty does not count. */
    public void opened() {
        opening = false;
    }

    /** Makes a session, and keeps what is known of the same server. */
    Session with(Server server, @Nullable Session known) {
        long untilNanos = time.until(longest(settings.requestTimeout()));
        for (int skip = 0; ; skip++) {
            try {
                return with(server, known, untilNanos, skip);
            } catch (RedisReplyException refused) {
                boolean moving = refused.error() == RedisError.ASK || refused.error() == RedisError.MOVED;
                if (moving && (settings.isStrict() || skip == MOST_TAGS)) {
                    // Must not be taken for an answer about the lock that the caller wants.
                    throw new RedisUnfitException(
                            server + " is giving away the slot of its own tag; try again when that is done");
                }
                if (!moving) {
                    throw refused;
                }
            }
        }
    }

    private Session with(Server server, @Nullable Session known, long untilNanos, int skip) {
        PooledConnection connection = server.connections().take(soon(untilNanos));
        try (connection) {
            return with(server, connection, known, untilNanos, skip);
        } catch (RedisLinkException broken) {
            if (connection.isNew() || broken.isTimeout()) {
                throw broken;
            }
        }
        try (PooledConnection fresh = server.connections().open(soon(untilNanos))) { // the idle one was dead
            return with(server, fresh, known, untilNanos, skip);
        }
    }

    private Session with(
            Server server, RedisConnection connection, @Nullable Session known, long untilNanos, int skip) {
        ServerInfo info = info(connection, left(untilNanos));
        check(server, ServerRules.broken(info, settings, cluster));
        Session same = known != null && known.incarnation().equals(info.incarnation()) ? known : null;
        String tag = tags.tagOf(server.address(), known == null || skip > 0 ? "" : known.tag(), skip);
        ServerClock clock = same != null ? same.clock() : new ServerClock();
        Scripts scripts = same != null
                ? same.scripts()
                : new Scripts(
                        info.incarnation(), settings.channelPrefix(), settings.isMember() ? settings.markKey() : null);
        load(connection, untilNanos, scripts);
        ClockSkew skew = askTheTime(server, connection, untilNanos, clock);
        boolean homeless = cluster && tag.isEmpty(); // a server that is about to get its first slot
        Following following = same != null ? same.following() : new Following();
        Guarded guarded = same != null ? new Guarded(same.gate(), same.tenure()) : new Guarded(Gate.OPEN, Tenure.ALL);
        if (settings.isStrict() && !homeless) {
            guarded = guard(server, connection, untilNanos, info, scripts, tag, guarded, following);
        }
        String notice = homeless ? "-" : !cluster ? "p" : info.isAtLeast(7, 0) ? "s" + tag : "u";
        String channels = settings.channelPrefix() + (notice.startsWith("s") ? tag : "");
        Session session = new Session(
                info.incarnation(),
                scripts,
                clock,
                notice,
                channels,
                clientId,
                tag,
                homeless && settings.isStrict(),
                guarded.gate,
                guarded.tenure,
                following,
                skew,
                info.isReplicated(),
                same != null ? same.metNanos() : time.nanos());
        if (same == null && !homeless) {
            rehearse(connection, untilNanos, session);
        }
        return session;
    }

    /** How long a handshake may take if each answer comes in time. */
    public static Duration longest(Duration requestTimeout) {
        return requestTimeout.multipliedBy(MOST_REQUESTS);
    }

    /**
     * The end of the next step. It has a little less time than a request, so that whoever waits as long as a request
     * may take is told of a server that is silent.
     */
    private long soon(long untilNanos) {
        long stepNanos = time.nanos() + settings.requestTimeout().toNanos() / 10 * 9;
        return untilNanos - stepNanos < 0 ? untilNanos : stepNanos;
    }

    private Duration left(long untilNanos) {
        return time.left(soon(untilNanos));
    }

    Timing time() {
        return time;
    }

    Duration requestTimeout() {
        return settings.requestTimeout();
    }

    /** Whether a new connection leads to the server of the session; always true where that does not matter. */
    boolean isStill(Session session, RedisConnection connection, long untilNanos) {
        return !settings.isStrict()
                || info(connection, time.left(untilNanos)).incarnation().equals(session.incarnation());
    }

    private ServerInfo info(RedisConnection connection, Duration timeout) {
        return new ServerInfo(Replies.string(connection.call(timeout, Bytes.of("INFO"))));
    }

    private void check(Server server, List<ServerRules.Broken> broken) {
        if (!broken.isEmpty()) {
            throw broken.get(0).on(server, replaceable);
        }
    }

    private void load(RedisConnection connection, long untilNanos, Scripts scripts) {
        List<byte[][]> loads = new ArrayList<>();
        for (Name name : Name.values()) {
            loads.add(new byte[][] {Bytes.of("SCRIPT"), Bytes.of("LOAD"), scripts.text(name)});
        }
        List<@Nullable Object> digests = connection.pipeline(left(untilNanos), loads);
        failIfRefused(digests);
        Iterator<@Nullable Object> next = digests.iterator();
        for (Name name : Name.values()) {
            scripts.loaded(name, Bytes.of(Replies.string(next.next())));
        }
    }

    private ClockSkew askTheTime(Server server, RedisConnection connection, long untilNanos, ServerClock clock) {
        long sentNanos = time.nanos();
        Object reply = connection.call(left(untilNanos), Bytes.of("TIME"));
        if (!(reply instanceof List<?> told)) {
            throw new IllegalStateException("expected the time from " + server + ", got " + Replies.shown(reply));
        }
        long micros =
                Long.parseLong(Replies.string(told.get(0))) * 1_000_000 + Long.parseLong(Replies.string(told.get(1)));
        long receivedNanos = time.nanos();
        server.answered(receivedNanos - sentNanos);
        clock.learn(sentNanos, receivedNanos, micros);
        ClockSkew skew = ClockSkew.of(micros, time.wallMillis());
        if (settings.mayBeDown() && !begun) { // otherwise this is looked at while opening
            check(server, ServerRules.broken(skew));
        }
        begun = true;
        floor.raise(micros, receivedNanos);
        return skew;
    }

    private Guarded guard(
            Server server,
            RedisConnection connection,
            long untilNanos,
            ServerInfo info,
            Scripts scripts,
            String tag,
            Guarded before,
            Following following) {
        long longestMillis = settings.longestLease().toMillis();
        long shutMillis = settings.shutTime().toMillis();
        String mark = settings.markKey(tag);
        String slots = cluster ? slots(server, connection, untilNanos) : "";
        long sentNanos = time.nanos();
        List<?> answer = (List<?>) Objects.requireNonNull(connection.call(
                left(untilNanos),
                Session.EVALSHA,
                scripts.digest(Name.GUARD),
                Bytes.of("1"),
                Bytes.of(mark),
                Bytes.of(info.incarnation()),
                Bytes.of(longestMillis),
                Bytes.of(shutMillis - longestMillis),
                Bytes.of(settings.startsEmpty() && opening ? "new" : ""),
                Bytes.of(RedisSettings.MARK_LIFE.toMillis()),
                Bytes.of(settings.members()),
                Bytes.of(before.gate.stillMillis(sentNanos)),
                Bytes.of(slots)));
        long receivedNanos = time.nanos();
        Mark marked = Mark.answered(answer);
        check(server, ServerRules.broken(marked, settings));
        boolean another = !marked.incarnation().equals(info.incarnation());
        if (another && info.wasReplica()) {
            forgetScripts(server, connection, untilNanos, scripts);
        }
        Function<String[], @Nullable Object> words =
                command -> connection.call(left(untilNanos), Bytes.command(command));
        following.want(settings.isMember() ? 0 : CutOff.wanted(info, words));
        if (info.connectedReplicas() > 0) { // a replica without the mark would look as if it forgot after it takes over
            following.followed(
                    ReplicaWait.on(connection, Math.max(1, following.wanted()), left(untilNanos)), sentNanos);
            warn(server, info, words);
        }
        long nowMicros = Replies.number(answer.get(0));
        long until = marked.shutUntilMicros();
        Gate gate = before.gate.after(sentNanos, receivedNanos, until == 0 ? 0 : until - nowMicros);
        Tenure tenure = cluster
                ? Tenure.of(Replies.string(answer.get(5)), nowMicros, sentNanos, receivedNanos, before.tenure)
                : Tenure.ALL;
        return new Guarded(gate, tenure);
    }

    private String slots(Server server, RedisConnection connection, long untilNanos) {
        Object reply = connection.call(left(untilNanos), ClusterSlots.command());
        return ClusterSlots.read(reply, server.address()).of(server.address());
    }

    /**
     * A process that lost its role and got it back still has its old scripts, although another one was master in
     * between. Dropping them forces a handshake on every client that has not noticed.
     */
    private void forgetScripts(Server server, RedisConnection connection, long untilNanos, Scripts scripts) {
        try {
            connection.call(left(untilNanos), Bytes.of("SCRIPT"), Bytes.of("FLUSH"));
        } catch (RedisReplyException refused) {
            LOG.log(
                    Level.WARNING,
                    server + " was demoted and promoted again, and its scripts cannot be flushed ("
                            + Printable.of(refused.reply())
                            + "); other clients notice within a third of the longest lease");
        }
        load(connection, untilNanos, scripts);
    }

    private void warn(Server server, ServerInfo info, Function<String[], @Nullable Object> words) {
        if (warned.add(info.incarnation())) {
            CutOff trouble = CutOff.trouble(info, words);
            if (trouble != null) {
                LOG.log(Level.WARNING, server + " " + trouble.what() + "; " + trouble.remedy());
            }
        }
    }

    /** Rehearses a hand-over: missing permissions show now, and not at the first contention. */
    private void rehearse(RedisConnection connection, long untilNanos, Session session) {
        String tail = session.tag() + "{rehearsal-" + clientId + "}";
        String mutex = settings.prefix() + ":lock:" + tail;
        String shares = settings.prefix() + ":semaphore:" + tail;
        byte[] one = Bytes.of(clientId + ":0:rehearsal");
        byte[] other = Bytes.of(clientId + ":-1:rehearsal");
        byte[] never = Bytes.of(Long.MAX_VALUE);
        byte[] millis = Bytes.of(1_000);
        byte[] life = Bytes.of(Scripts.lifeMillis(1_000));
        byte[] single = Bytes.of("1");
        byte[] none = Bytes.of("0");
        byte[] deaf = Bytes.of("-");
        boolean sharded = session.isSharded();
        byte[] channel = Bytes.of(session.channel());
        failIfRefused(connection.pipeline(
                left(untilNanos),
                List.of(
                        session.call(Name.LOCK_ATTEMPT, mutex, one, never, millis, single, life, deaf),
                        session.call(Name.LOCK_ATTEMPT, mutex, other, never, millis, single, life, deaf),
                        session.call(Name.LOCK_RELEASE, mutex, one, none),
                        session.call(Name.LOCK_RELEASE, mutex, other, none),
                        session.call(
                                Name.SHARE_ATTEMPT, shares, one, never, millis, single, deaf, single, single, none),
                        session.call(Name.INSPECT, shares),
                        session.call(Name.SHARE_RELEASE, shares, one, none, none),
                        new byte[][] {
                            Bytes.of("PUBSUB"), Bytes.of(sharded ? "SHARDNUMSUB" : "NUMSUB"), channel,
                        },
                        new byte[][] {Bytes.of(sharded ? "SPUBLISH" : "PUBLISH"), channel, Bytes.of("")})));
    }

    private static void failIfRefused(List<@Nullable Object> replies) {
        for (Object reply : replies) {
            if (reply instanceof RedisReplyException refused) {
                throw refused;
            }
        }
    }
}
