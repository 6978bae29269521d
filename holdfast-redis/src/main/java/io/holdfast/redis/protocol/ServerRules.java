package io.holdfast.redis.protocol;

import io.holdfast.DurationText;
import io.holdfast.redis.protocol.RedisUnfitException.Outlook;
import io.holdfast.redis.settings.RedisSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules for a server that is fit for locks. There is one list: a handshake stops at the first violation, and the
 * doctor reports them all.
 */
public final class ServerRules {
    /** The check of the server's version. */
    public static final String VERSION = "version";

    /** The check of the server's role. */
    public static final String ROLE = "role";

    /** The check of the eviction policy. */
    public static final String MEMORY = "memory";

    /** The check of the guard's mark. */
    public static final String MARK = "mark";

    /** The check of the server's clock. */
    public static final String CLOCK = "clock";

    /**
     * A broken rule.
     *
     * @param check the name of the check
     * @param what what is wrong, after the name of the server
     * @param remedy what to change
     */
    public record Broken(String check, String what, String remedy) {
        /**
         * The exception for a client that cannot use the server.
         *
         * @param replaceable whether another server may take its place
         */
        public RedisUnfitException on(Object server, boolean replaceable) {
            Outlook ofRole = replaceable ? Outlook.PASSING : Outlook.WRONG;
            Outlook outlook = check.equals(ROLE) ? ofRole : check.equals(CLOCK) ? Outlook.WRONG : Outlook.LASTING;
            return new RedisUnfitException(server + " " + what + "; " + remedy, outlook);
        }
    }

    private final List<Broken> broken = new ArrayList<>();

    private ServerRules() {}

    private void must(boolean fits, String check, String what, String remedy) {
        if (!fits) {
            broken.add(new Broken(check, what, remedy));
        }
    }

    /**
     * The rules that a server breaks by its own report.
     *
     * @param cluster whether it is used as part of a cluster
     */
    public static List<Broken> broken(ServerInfo info, RedisSettings settings, boolean cluster) {
        ServerRules rules = new ServerRules();
        rules.must(!info.version().isEmpty(), VERSION, "does not say what it is", "connect to a Redis server");
        rules.must(
                !info.get("redis_mode").equals("sentinel"),
                ROLE,
                "is a Sentinel",
                "connect with redis-sentinel://…/<master name> instead");
        rules.must(cluster || !info.isCluster(), ROLE, "belongs to a cluster", "connect with redis-cluster:// instead");
        rules.must(info.isAtLeast(6, 2), VERSION, "is Redis " + info.version(), "use Redis 6.2 or later");
        if (settings.isStrict()) {
            rules.guarded(info);
        }
        rules.must(
                !info.get("arch_bits").equals("32"),
                VERSION,
                "is a 32-bit build, which cuts tokens off",
                "use a 64-bit build");
        rules.must(
                info.isMaster(),
                ROLE,
                "is a replica of " + info.get("master_host") + ":" + info.get("master_port"),
                "connect to the master, or through redis-sentinel:// which follows it");
        rules.must(
                settings.acceptsEviction() || !info.evicts(),
                MEMORY,
                "has maxmemory-policy " + info.get("maxmemory_policy") + ", so it may drop a lock that is held",
                "CONFIG SET maxmemory-policy noeviction, or allow it with acceptEviction()");
        return rules.broken;
    }

    private void guarded(ServerInfo info) {
        must(
                info.isAtLeast(7, 0),
                VERSION,
                "is Redis " + info.version() + ", which keeps scripts over a restart, so Safety.STRICT cannot work",
                "use Redis 7.0 or later, or Safety.AVAILABLE");
        must(
                info.hasIdentity(),
                VERSION,
                "does not tell its run_id and master_replid, so Safety.STRICT cannot know when it is another one",
                "use Safety.AVAILABLE, or a server that tells them");
    }

    /** The rules that a server breaks by its clock. */
    public static List<Broken> broken(ClockSkew skew) {
        return skew.isFarOff() ? List.of(farOff(skew)) : List.of();
    }

    /** A clock that is far off, for those who have seen that it is. */
    public static Broken farOff(ClockSkew skew) {
        String where = skew.ahead().isNegative() ? " behind ours" : " ahead of ours";
        return new Broken(
                CLOCK,
                "has a clock that is " + DurationText.of(skew.ahead().abs()) + where,
                "set both clocks (chrony, NTP): more than a minute apart, tokens cannot be trusted");
    }

    /** The rules that a server breaks by its mark. */
    public static List<Broken> broken(Mark mark, RedisSettings settings) {
        ServerRules rules = new ServerRules();
        long longestMillis = mark.longestMillis();
        long members = mark.members();
        rules.must(
                longestMillis == settings.longestLease().toMillis(),
                MARK,
                "is guarded for leases up to " + DurationText.of(Duration.ofMillis(longestMillis)) + ", not "
                        + DurationText.of(settings.longestLease()),
                "use the same longestLease() in every client");
        rules.must(
                members == settings.members(),
                MARK,
                "is a node of a quorum of " + members + ", not of " + settings.members(),
                "name the same nodes in every client; to change their number, stop all clients, and open the first"
                        + " new one with startEmpty()");
        return rules.broken;
    }
}
