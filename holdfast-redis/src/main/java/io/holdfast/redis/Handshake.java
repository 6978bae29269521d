package io.holdfast.redis;

import io.holdfast.redis.Scripts.Name;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisReplyException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a server can be trusted with locks, before the first call and whenever there is doubt. All of it on one connection, which is
 * one process: what is checked here and what is loaded here cannot be two servers.
 */
final class Handshake {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final long MOST_SKEW_MICROS = 60_000_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final RedisDriver driver;
    private final RedisSettings settings;
    private final String clientId;
    private final Function<Node, String> tags;

    /** Whether the client is being opened: only then is it believed that nobody holds anything. */
    private volatile boolean opening = true;

    /** @param tags finds a hash tag whose slot the node owns; empty for a server that is alone */
    Handshake(RedisDriver driver, RedisSettings settings, String clientId, Function<Node, String> tags) {
        this.driver = driver;
        this.settings = settings;
        this.clientId = clientId;
        this.tags = tags;
    }

    /** The client is open: whatever forgets from now on is guarded. */
    void opened() {
        opening = false;
    }

    /** Makes a session, or keeps the known one if it is still the same server. */
    Session with(Node node, @Nullable Session known, Duration patience) {
        try (RedisConnection connection = driver.connection(node.address(), patience)) {
            ServerInfo info = new ServerInfo(Text.string(connection.call(patience, words("INFO"))));
            check(node, info);
            String tag = tags.apply(node);
            Session same = known != null && known.incarnation().equals(info.incarnation()) ? known : null;
            ServerClock clock = same != null ? same.clock() : new ServerClock();
            Scripts scripts = same != null ? same.scripts() : new Scripts(info.incarnation(), settings.channelPrefix());
            load(connection, patience, scripts);
            checkClock(node, connection, patience, clock);
            long shutUntil = settings.isStrict() ? guard(node, connection, patience, info, scripts, tag) : 0;
            String ear = !info.isCluster() ? "p" : info.isAtLeast(7, 0) ? "s" + tag : "u";
            String channels = settings.channelPrefix() + (ear.startsWith("s") ? tag : "");
            Session session = new Session(info.incarnation(), scripts, clock, ear, channels, clientId, shutUntil);
            if (same == null) {
                rehearse(connection, patience, session, tag);
            }
            return session;
        }
    }

    private void check(Node node, ServerInfo info) {
        if (info.version().isEmpty()) {
            throw unfit(node, "does not say what it is", "connect to a Redis server");
        }
        if (info.get("redis_mode").equals("sentinel")) {
            throw unfit(node, "is a Sentinel", "connect with redis-sentinel://…/<master name> instead");
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

    private static void load(RedisConnection connection, Duration patience, Scripts scripts) {
        List<byte[][]> loads = new ArrayList<>();
        for (Name name : Name.values()) {
            loads.add(new byte[][] {Text.bytes("SCRIPT"), Text.bytes("LOAD"), scripts.text(name)});
        }
        failIfRefused(connection.pipeline(patience, loads));
    }

    /** Tokens are made of the server's clock: one grant of a server that is years ahead would spoil every fence it meets. */
    private static void checkClock(Node node, RedisConnection connection, Duration patience, ServerClock clock) {
        long sentNanos = System.nanoTime();
        Object reply = connection.call(patience, words("TIME"));
        if (!(reply instanceof List<?> time)) {
            throw new IllegalStateException("expected the time from " + node + ", got " + Text.string(reply));
        }
        long micros = Long.parseLong(Text.string(time.get(0))) * 1_000_000 + Long.parseLong(Text.string(time.get(1)));
        clock.learn(sentNanos, System.nanoTime(), micros);
        long skewMicros = micros - System.currentTimeMillis() * MICROS_PER_MILLI;
        if (Math.abs(skewMicros) > MOST_SKEW_MICROS) {
            throw unfit(
                    node,
                    "has a clock that is " + Duration.ofMillis(skewMicros / MICROS_PER_MILLI) + " off from ours",
                    "set both clocks (chrony, NTP); more than a minute apart, tokens cannot be trusted");
        }
    }

    private long guard(
            Node node, RedisConnection connection, Duration patience, ServerInfo info, Scripts scripts, String tag) {
        Duration shut = settings.shutTime();
        String age =
                settings.startsEmpty() && opening ? "new" : info.uptimeSeconds() > shut.toSeconds() ? "old" : "young";
        String mark = settings.prefix() + ":guard" + (tag.isEmpty() ? "" : ":" + tag);
        Object reply = connection.call(
                patience,
                Text.bytes("EVALSHA"),
                scripts.digest(Name.GUARD),
                Text.bytes("1"),
                Text.bytes(mark),
                Text.bytes(info.incarnation()),
                Text.bytes(settings.longestLease().toMillis()),
                Text.bytes(shut.toMillis()),
                Text.bytes(age));
        List<?> answer = (List<?>) java.util.Objects.requireNonNull(reply);
        long longestMillis = Text.number(answer.get(2));
        if (longestMillis != settings.longestLease().toMillis()) {
            throw unfit(
                    node,
                    "is guarded for leases up to " + Duration.ofMillis(longestMillis) + ", not "
                            + settings.longestLease(),
                    "use the same longestLease() in every client");
        }
        if (info.connectedReplicas() > 0) {
            // A mark that no replica has would be missed by whoever takes over.
            connection.call(patience, words("WAIT", "1", Long.toString(Math.min(patience.toMillis(), 1_000))));
            if (!info.has("min_slaves_good_slaves")) {
                LOG.log(
                        Level.WARNING,
                        node + " has replicas and no min-replicas-to-write: cut off from them it would go on granting;"
                                + " CONFIG SET min-replicas-to-write 1");
            }
        }
        return Text.number(answer.get(1));
    }

    /** Plays a hand-over to itself: what the user may not do shows now, and not in the middle of the night. */
    private void rehearse(RedisConnection connection, Duration patience, Session session, String tag) {
        String key = settings.prefix() + ":lock:" + (tag.isEmpty() ? "{" : tag + "{") + "rehearsal-" + clientId + "}";
        byte[] one = Text.bytes(clientId + ":0:rehearsal");
        byte[] other = Text.bytes(clientId + ":-1:rehearsal");
        byte[] never = Text.bytes(Long.MAX_VALUE);
        byte[] millis = Text.bytes("1000");
        byte[] block = Text.bytes("1");
        byte[] deaf = Text.bytes("-");
        boolean sharded = session.isSharded();
        byte[] channel = Text.bytes(session.channel());
        List<byte[][]> steps = List.of(
                session.call(Name.LOCK_ATTEMPT, key, one, never, millis, block, millis, deaf),
                session.call(Name.LOCK_ATTEMPT, key, other, never, millis, block, millis, deaf),
                session.call(Name.LOCK_RELEASE, key, one, millis),
                session.call(Name.LOCK_RELEASE, key, other, millis),
                new byte[][] {
                    Text.bytes("PUBSUB"), Text.bytes(sharded ? "SHARDNUMSUB" : "NUMSUB"), channel,
                },
                new byte[][] {Text.bytes(sharded ? "SPUBLISH" : "PUBLISH"), channel, Text.bytes("")});
        failIfRefused(connection.pipeline(patience, steps));
    }

    private static void failIfRefused(List<@Nullable Object> replies) {
        for (Object reply : replies) {
            if (reply instanceof RedisReplyException refused) {
                throw refused;
            }
        }
    }

    private static byte[][] words(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = Text.bytes(words[i]);
        }
        return command;
    }
}
