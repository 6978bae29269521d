package io.holdfast.redis.doctor;

import io.holdfast.DurationText;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.CutOff;
import io.holdfast.redis.protocol.Mark;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.ServerInfo;
import io.holdfast.redis.protocol.ServerRules;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import io.holdfast.redis.settings.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Examines one server without changing it. */
final class Checkup {
    private static final int PINGS = 20;
    private static final long SLOW_MICROS = 10_000;
    private static final Duration NOTABLE_SKEW = Duration.ofSeconds(1);
    private static final int NEARLY_FULL_PERCENT = 90;

    private final RedisUrl url;
    private final RedisSettings settings;
    private final Timing time;
    private final RedisAddress server;
    private final RedisConnection connection;
    private final Findings findings;
    private final ServerInfo info;

    Checkup(RedisUrl url, RedisSettings settings, RedisAddress server, RedisConnection connection, Findings findings) {
        this.url = url;
        this.settings = settings;
        this.time = settings.time();
        this.server = server;
        this.connection = connection;
        this.findings = findings;
        this.info = new ServerInfo(Replies.string(call("INFO")));
    }

    void run() {
        List<ServerRules.Broken> broken = ServerRules.broken(info, settings, url.mode() == RedisUrl.Mode.CLUSTER);
        broken.forEach(each -> findings.fail(server, each.check(), each.what(), each.remedy()));
        Set<String> failed = broken.stream().map(ServerRules.Broken::check).collect(Collectors.toSet());
        if (!failed.contains(ServerRules.VERSION)) {
            version();
        }
        if (!failed.contains(ServerRules.ROLE)) {
            findings.ok(server, ServerRules.ROLE, "master");
        }
        if (!failed.contains(ServerRules.MEMORY)) {
            memory();
        }
        roundTrip();
        clock();
        persistence();
        replication();
        if (settings.isStrict() && url.mode() != RedisUrl.Mode.CLUSTER) {
            mark();
        }
    }

    private @Nullable Object call(String... command) {
        return connection.call(settings.requestTimeout(), Bytes.command(command));
    }

    private void version() {
        String version = "Redis " + info.version();
        if (info.isAtLeast(7, 0)) {
            findings.ok(server, ServerRules.VERSION, version);
        } else {
            findings.warn(
                    server, ServerRules.VERSION, version + " cannot be used with Safety.STRICT", "use 7.0 or later");
        }
    }

    private void memory() {
        if (info.evicts()) {
            findings.warn(
                    server,
                    ServerRules.MEMORY,
                    "maxmemory-policy " + info.get("maxmemory_policy") + ": a lock that is held may be dropped",
                    "CONFIG SET maxmemory-policy noeviction, and in redis.conf");
            return;
        }
        long most = number("maxmemory");
        long used = number("used_memory");
        if (most > 0 && used * 100 > most * NEARLY_FULL_PERCENT) {
            findings.warn(
                    server,
                    "memory",
                    used * 100 / most + " % of maxmemory is used; when it is full, no lock is granted",
                    "raise maxmemory, or find out what fills it");
        } else {
            findings.ok(server, "memory", "noeviction, " + (used >> 20) + " MB used");
        }
    }

    private long number(String field) {
        String text = info.get(field);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private void roundTrip() {
        long[] micros = new long[PINGS];
        for (int i = 0; i < PINGS; i++) {
            long start = time.nanos();
            call("PING");
            micros[i] = TimeUnit.NANOSECONDS.toMicros(time.nanos() - start);
        }
        Arrays.sort(micros);
        String text = String.format("%.2fms, at most %.2fms", micros[PINGS / 2] / 1e3, micros[PINGS - 1] / 1e3);
        if (micros[PINGS / 2] > SLOW_MICROS) {
            findings.warn(
                    server,
                    "round trip",
                    text + "; a lock and its release take two",
                    "put the server and its clients near each other");
        } else {
            findings.ok(server, "round trip", text);
        }
    }

    private void clock() {
        long before = time.wallMillis();
        long start = time.nanos();
        List<?> told = (List<?>) call("TIME");
        Duration trip = Duration.ofNanos(time.nanos() - start);
        long serverMillis = told == null
                ? before
                : Long.parseLong(Replies.string(told.get(0))) * 1_000
                        + Long.parseLong(Replies.string(told.get(1))) / 1_000;
        Duration skew = Duration.ofMillis(serverMillis - before).minus(trip.dividedBy(2));
        String text = "is " + DurationText.rounded(skew.abs()) + " " + (skew.isNegative() ? "behind" : "ahead of")
                + " this machine's, give or take " + (trip.toMillis() / 2 + 1) + "ms";
        List<ServerRules.Broken> broken = ServerRules.broken(new ClockSkew(skew));
        broken.forEach(each -> findings.fail(server, each.check(), each.what(), each.remedy()));
        if (!broken.isEmpty()) {
            return;
        }
        if (skew.abs().compareTo(NOTABLE_SKEW) > 0) {
            findings.warn(server, ServerRules.CLOCK, text, "run chrony or ntpd, here and there");
        } else {
            findings.ok(server, ServerRules.CLOCK, text);
        }
    }

    private void persistence() {
        boolean appends = info.get("aof_enabled").equals("1");
        if (info.get("aof_last_write_status").equals("err")
                || info.get("rdb_last_bgsave_status").equals("err")) {
            findings.fail(
                    server,
                    "persistence",
                    "the last write to disk failed; the server may refuse every lock",
                    "free its disk, and look at its log");
        } else if (settings.isStrict()) {
            findings.ok(server, "persistence", "a restart is noticed, whatever was on the disk");
        } else if (appends) {
            findings.ok(
                    server,
                    "persistence",
                    "append-only file; unless appendfsync is always, the last second of locks can still be lost");
        } else {
            findings.warn(
                    server,
                    "persistence",
                    "no append-only file: after a restart nobody holds anything, and a lock may have two holders",
                    "--safety STRICT in every client, or appendonly yes with appendfsync always");
        }
    }

    private void replication() {
        int replicas = info.connectedReplicas();
        String count = replicas + (replicas == 1 ? " replica" : " replicas");
        CutOff trouble = CutOff.trouble(info, this::call);
        if (settings.isMember()) {
            memberReplication(replicas, count);
        } else if (replicas == 0 && url.mode() != RedisUrl.Mode.SINGLE) {
            findings.warn(server, "replication", "no replica: nobody can take over", "add one");
        } else if (replicas == 0) {
            findings.ok(server, "replication", "no replica, so nothing can be lost in a failover");
        } else if (trouble != null) {
            findings.warn(server, "replication", trouble.what(), trouble.remedy() + ", and in redis.conf");
        } else if (!settings.isStrict()) {
            findings.warn(
                    server,
                    "replication",
                    count + "; in a failover the last grants can be lost, and a lock may have two holders",
                    "--safety STRICT in every client, or a fence where the data is");
        } else {
            findings.ok(server, "replication", count + ", min-replicas-to-write is enough, a failover is noticed");
        }
    }

    private void memberReplication(int replicas, String count) {
        if (replicas == 0) {
            findings.ok(server, "replication", "none, as it should be for a node of a quorum");
        } else {
            findings.warn(
                    server,
                    "replication",
                    count + ": a node of a quorum stands alone, since a failover would forget votes",
                    "take them away, and make them nodes of their own");
        }
    }

    /** Only reads the mark: creating it would shut a server that has not been guarded so far. */
    private void mark() {
        String what = settings.isMember() ? "quorum" : "guard";
        Mark mark = Mark.stored(call("GET", settings.markKey()));
        if (mark == null) {
            findings.warn(
                    server,
                    what,
                    "has no mark: the first client may have to wait for " + DurationText.of(settings.shutTime()),
                    settings.isMember()
                            ? "holdfast quorum init, if the nodes are new and nobody holds anything"
                            : "nothing, or startEmpty() in the first client of a new server");
            return;
        }
        List<ServerRules.Broken> broken = ServerRules.broken(mark, settings);
        broken.forEach(each -> findings.fail(server, what, each.what(), each.remedy()));
        if (broken.isEmpty()) {
            open(what, mark.incarnation(), Instant.EPOCH.plus(mark.shutUntilMicros(), ChronoUnit.MICROS));
        }
    }

    private void open(String what, String incarnation, Instant shutUntil) {
        if (!incarnation.equals(info.incarnation())) {
            findings.warn(
                    server,
                    what,
                    "was restarted or took over, and no client has noticed yet; nothing new is granted for "
                            + DurationText.of(settings.shutTime()) + " from when one does",
                    "wait");
        } else if (shutUntil.isAfter(Instant.ofEpochMilli(time.wallMillis()))) {
            findings.warn(
                    server, what, "grants nothing new until " + shutUntil.truncatedTo(ChronoUnit.SECONDS), "wait");
        } else {
            findings.ok(server, what, "is marked, and grants");
        }
    }
}
