package io.holdfast.redis;

import io.holdfast.redis.Scripts.Name;
import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a server can be trusted with locks, before the first call and whenever there is doubt. All of it on one connection, which is
 * one process: what is checked here and what is loaded here cannot be two servers.
 */
final class Handshake {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final long MICROS_PER_MILLI = 1_000;

    /** How many tags are tried while slots move. */
    private static final int MOST_TAGS = 4;

    /** Finds the hash tag of a server in a cluster. */
    interface Tags {
        /**
         * A tag whose slot the node owns, the same as before if possible; empty if it owns none, or where there are no slots.
         *
         * @param skip how many tags to leave out, because their slots are moving
         */
        String tagOf(Node node, String before, int skip);

        /** Which slots the node has by an answer to {@code CLUSTER SLOTS}, as {@code from-to,…}. */
        String slotsOf(Node node, List<?> ranges);
    }

    /** What the guard of a server says. */
    private record Guarded(Gate gate, Tenure tenure) {}

    private final RedisSettings settings;
    private final String clientId;
    private final Tags tags;
    private final boolean cluster;
    private final TokenFloor floor;

    /** Servers whose settings were looked at already. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Whether the client is being opened: only then is it believed that nobody holds anything. */
    private volatile boolean opening = true;

    Handshake(RedisSettings settings, String clientId, Tags tags, boolean cluster, TokenFloor floor) {
        this.settings = settings;
        this.clientId = clientId;
        this.tags = tags;
        this.cluster = cluster;
        this.floor = floor;
    }

    /** The client is open: whatever forgets from now on is guarded. */
    void opened() {
        opening = false;
    }

    /** Makes a session; what was known of the same server is kept. */
    Session with(Node node, @Nullable Session known, long untilNanos) {
        for (int skip = 0; ; skip++) {
            try {
                return with(node, known, untilNanos, skip);
            } catch (RedisReplyException refused) {
                boolean moving =
                        refused.reply().startsWith("ASK ") || refused.reply().startsWith("MOVED ");
                if (moving && (settings.isStrict() || skip == MOST_TAGS)) {
                    // Never to be taken for an answer about the lock that somebody wants.
                    throw unfit(node, "is giving away the slot of its own tag", "try again when that is done");
                }
                if (!moving) {
                    throw refused;
                }
            }
        }
    }

    private Session with(Node node, @Nullable Session known, long untilNanos, int skip) {
        Lent connection = node.connections().take(untilNanos);
        try (connection) {
            return with(node, connection, known, untilNanos, skip);
        } catch (RedisLinkException broken) {
            if (connection.isNew() || broken.isTimeout()) {
                throw broken;
            }
        }
        try (Lent fresh = node.connections().open(untilNanos)) { // the other one had ended while nobody looked
            return with(node, fresh, known, untilNanos, skip);
        }
    }

    private Session with(Node node, RedisConnection connection, @Nullable Session known, long untilNanos, int skip) {
        ServerInfo info = info(connection, untilNanos);
        check(node, info);
        Session same = known != null && known.incarnation().equals(info.incarnation()) ? known : null;
        String tag = tags.tagOf(node, known == null || skip > 0 ? "" : known.tag(), skip);
        ServerClock clock = same != null ? same.clock() : new ServerClock();
        Scripts scripts = same != null
                ? same.scripts()
                : new Scripts(
                        info.incarnation(), settings.channelPrefix(), settings.isMember() ? settings.markKey() : null);
        load(connection, untilNanos, scripts);
        Duration skew = askTheTime(node, connection, untilNanos, clock);
        boolean homeless = cluster && tag.isEmpty(); // a server that is about to get its first slot
        Following following = same != null ? same.following() : new Following();
        Guarded guarded = same != null ? new Guarded(same.gate(), same.tenure()) : new Guarded(Gate.OPEN, Tenure.ALL);
        if (settings.isStrict() && !homeless) {
            guarded = guard(node, connection, untilNanos, info, scripts, tag, guarded, following);
        }
        String ear = homeless ? "-" : !cluster ? "p" : info.isAtLeast(7, 0) ? "s" + tag : "u";
        String channels = settings.channelPrefix() + (ear.startsWith("s") ? tag : "");
        Session session = new Session(
                info.incarnation(),
                scripts,
                clock,
                ear,
                channels,
                clientId,
                tag,
                homeless && settings.isStrict(),
                guarded.gate,
                guarded.tenure,
                following,
                skew,
                info.isReplicated(),
                same != null ? same.metNanos() : System.nanoTime());
        if (same == null && !homeless) {
            rehearse(connection, untilNanos, session);
        }
        return session;
    }

    /** Whether a caller with so much time would have heard of a server that is well. */
    boolean isPatient(long nanos) {
        return nanos >= settings.requestTimeout().toNanos() / 2;
    }

    Duration requestTimeout() {
        return settings.requestTimeout();
    }

    /** Whether a new connection leads to the server that the session is about; where that does not matter, it does. */
    boolean isStill(Session session, RedisConnection connection, long untilNanos) {
        return !settings.isStrict()
                || info(connection, untilNanos).incarnation().equals(session.incarnation());
    }

    private static ServerInfo info(RedisConnection connection, long untilNanos) {
        return new ServerInfo(Text.string(connection.call(Node.patience(untilNanos), Text.bytes("INFO"))));
    }

    private void check(Node node, ServerInfo info) {
        if (info.version().isEmpty()) {
            throw unfit(node, "does not say what it is", "connect to a Redis server");
        }
        if (info.get("redis_mode").equals("sentinel")) {
            throw unfit(node, "is a Sentinel", "connect with redis-sentinel://…/<master name> instead");
        }
        if (!cluster && info.isCluster()) {
            throw unfit(node, "belongs to a cluster", "connect with redis-cluster:// instead");
        }
        if (!info.isAtLeast(6, 2)) {
            throw unfit(node, "is Redis " + info.version(), "use Redis 6.2 or later");
        }
        if (settings.isStrict() && !info.isAtLeast(7, 0)) {
            throw unfit(
                    node,
                    "is Redis " + info.version() + ", which keeps scripts over a restart, so Safety.STRICT cannot work",
                    "use Redis 7.0 or later, or Safety.AVAILABLE");
        }
        if (settings.isStrict() && !info.hasIdentity()) {
            throw unfit(
                    node,
                    "does not tell its run_id and master_replid, so Safety.STRICT cannot know when it is another one",
                    "use Safety.AVAILABLE, or a server that tells them");
        }
        if (info.get("arch_bits").equals("32")) {
            throw unfit(node, "is a 32-bit build, which cuts tokens off", "use a 64-bit build");
        }
        if (!info.isMaster()) {
            throw unfit(
                    node,
                    "is a replica of " + info.get("master_host") + ":" + info.get("master_port"),
                    "connect to the master, or through redis-sentinel:// which follows it");
        }
        String policy = info.get("maxmemory_policy");
        if (!settings.acceptsEviction() && !policy.isEmpty() && !policy.equals("noeviction")) {
            throw unfit(
                    node,
                    "has maxmemory-policy " + policy + ", so it may drop a lock that is held",
                    "CONFIG SET maxmemory-policy noeviction, or allow it with acceptEviction()");
        }
    }

    private static RedisUnfitException unfit(Node node, String what, String remedy) {
        return new RedisUnfitException(node + " " + what + "; " + remedy);
    }

    private static void load(RedisConnection connection, long untilNanos, Scripts scripts) {
        List<byte[][]> loads = new ArrayList<>();
        for (Name name : Name.values()) {
            loads.add(new byte[][] {Text.bytes("SCRIPT"), Text.bytes("LOAD"), scripts.text(name)});
        }
        failIfRefused(connection.pipeline(Node.patience(untilNanos), loads));
    }

    private Duration askTheTime(Node node, RedisConnection connection, long untilNanos, ServerClock clock) {
        long sentNanos = System.nanoTime();
        Object reply = connection.call(Node.patience(untilNanos), Text.bytes("TIME"));
        if (!(reply instanceof List<?> time)) {
            throw new IllegalStateException("expected the time from " + node + ", got " + Text.shown(reply));
        }
        long micros = Long.parseLong(Text.string(time.get(0))) * 1_000_000 + Long.parseLong(Text.string(time.get(1)));
        long receivedNanos = System.nanoTime();
        node.answered(receivedNanos - sentNanos);
        clock.learn(sentNanos, receivedNanos, micros);
        floor.raise(micros, receivedNanos);
        return skew(micros);
    }

    /** How far a time of the server is off from our wall clock. */
    static Duration skew(long serverMicros) {
        return Duration.ofMillis(serverMicros / MICROS_PER_MILLI - System.currentTimeMillis());
    }

    private Guarded guard(
            Node node,
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
        String slots = cluster ? slots(node, connection, untilNanos) : "";
        long sentNanos = System.nanoTime();
        List<?> answer = (List<?>) Objects.requireNonNull(connection.call(
                Node.patience(untilNanos),
                Session.EVALSHA,
                scripts.digest(Name.GUARD),
                Text.bytes("1"),
                Text.bytes(mark),
                Text.bytes(info.incarnation()),
                Text.bytes(longestMillis),
                Text.bytes(shutMillis - longestMillis),
                Text.bytes(settings.startsEmpty() && opening ? "new" : ""),
                Text.bytes(RedisSettings.MARK_LIFE.toMillis()),
                Text.bytes(settings.members()),
                Text.bytes(before.gate.stillMillis(sentNanos)),
                Text.bytes(slots)));
        long receivedNanos = System.nanoTime();
        long markedMillis = Text.number(answer.get(2));
        if (markedMillis != longestMillis) {
            throw unfit(
                    node,
                    "is guarded for leases up to " + Duration.ofMillis(markedMillis) + ", not "
                            + settings.longestLease(),
                    "use the same longestLease() in every client");
        }
        long members = Text.number(answer.get(4));
        if (members != settings.members()) {
            throw unfit(
                    node,
                    "is a node of a quorum of " + members + ", not of " + settings.members(),
                    "name the same nodes in every client; to change their number, stop all clients, and open the first"
                            + " new one with startEmpty()");
        }
        boolean another = !Text.string(answer.get(3)).equals(info.incarnation());
        if (another && info.wasReplica()) {
            forgetScripts(node, connection, untilNanos, scripts);
        }
        Function<String[], @Nullable Object> words = command -> connection.call(
                Node.patience(untilNanos),
                Arrays.stream(command).map(Text::bytes).toArray(byte[][]::new));
        following.want(settings.isMember() ? 0 : CutOff.wanted(info, words));
        if (info.connectedReplicas() > 0) { // a mark that no replica has would be missed by whoever takes over
            following.followed(Proofs.await(connection, Math.max(1, following.wanted()), untilNanos), sentNanos);
            warn(node, info, words);
        }
        long nowMicros = Text.number(answer.get(0));
        long until = Text.number(answer.get(1));
        Gate gate = before.gate.after(sentNanos, receivedNanos, until == 0 ? 0 : until - nowMicros);
        Tenure tenure = cluster
                ? Tenure.of(Text.string(answer.get(5)), nowMicros, sentNanos, receivedNanos, before.tenure)
                : Tenure.ALL;
        return new Guarded(gate, tenure);
    }

    private String slots(Node node, RedisConnection connection, long untilNanos) {
        Object reply = connection.call(Node.patience(untilNanos), Text.bytes("CLUSTER"), Text.bytes("SLOTS"));
        return tags.slotsOf(node, (List<?>) Objects.requireNonNull(reply));
    }

    /**
     * A process that lost its role and got it back still has the scripts of before, whoever was master in between. Without them, every client that has
     * not noticed has to shake hands too.
     */
    private static void forgetScripts(Node node, RedisConnection connection, long untilNanos, Scripts scripts) {
        try {
            connection.call(Node.patience(untilNanos), Text.bytes("SCRIPT"), Text.bytes("FLUSH"));
        } catch (RedisReplyException refused) {
            LOG.log(
                    Level.WARNING,
                    node + " was demoted and promoted again, and its scripts cannot be flushed ("
                            + Printable.of(refused.reply())
                            + "); other clients notice within a third of the longest lease");
        }
        load(connection, untilNanos, scripts);
    }

    private void warn(Node node, ServerInfo info, Function<String[], @Nullable Object> words) {
        if (warned.add(info.incarnation())) {
            CutOff trouble = CutOff.trouble(info, words);
            if (trouble != null) {
                LOG.log(Level.WARNING, node + " " + trouble.what() + "; " + trouble.remedy());
            }
        }
    }

    /** Plays a hand-over to itself: what the user may not do shows now, and not in the middle of the night. */
    private void rehearse(RedisConnection connection, long untilNanos, Session session) {
        String tail = session.tag() + "{rehearsal-" + clientId + "}";
        String mutex = settings.prefix() + ":lock:" + tail;
        String shares = settings.prefix() + ":semaphore:" + tail;
        byte[] one = Text.bytes(clientId + ":0:rehearsal");
        byte[] other = Text.bytes(clientId + ":-1:rehearsal");
        byte[] never = Text.bytes(Long.MAX_VALUE);
        byte[] millis = Text.bytes(1_000);
        byte[] life = Text.bytes(Scripts.lifeMillis(1_000));
        byte[] single = Text.bytes("1");
        byte[] none = Text.bytes("0");
        byte[] deaf = Text.bytes("-");
        boolean sharded = session.isSharded();
        byte[] channel = Text.bytes(session.channel());
        failIfRefused(connection.pipeline(
                Node.patience(untilNanos),
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
                            Text.bytes("PUBSUB"), Text.bytes(sharded ? "SHARDNUMSUB" : "NUMSUB"), channel,
                        },
                        new byte[][] {Text.bytes(sharded ? "SPUBLISH" : "PUBLISH"), channel, Text.bytes("")})));
    }

    private static void failIfRefused(List<@Nullable Object> replies) {
        for (Object reply : replies) {
            if (reply instanceof RedisReplyException refused) {
                throw refused;
            }
        }
    }
}
