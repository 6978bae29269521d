package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.RedisReplyException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A problem with the settings that make a master stop writing when it is cut off. It must not write without enough
 * replicas: with itself, more than half of all servers, so that no other master can have as many. And it must notice
 * that they are gone within the time that {@code Safety.STRICT} allows for.
 *
 * @param what what is wrong
 * @param remedy what to do about it
 */
public record CutOff(String what, String remedy) {
    private static final long MOST_LAG_SECONDS = 10;

    /**
     * What is wrong, or null if nothing is or there are no replicas. Values of settings that the user may not read are
     * not checked.
     *
     * @param call sends a command
     */
    public static @Nullable CutOff trouble(ServerInfo info, Function<String[], @Nullable Object> call) {
        int replicas = info.connectedReplicas();
        int needed = (replicas + 1) / 2;
        if (replicas == 0) {
            return null;
        }
        if (!info.has("min_slaves_good_slaves")) {
            return new CutOff(
                    "has replicas and no min-replicas-to-write: cut off from them it would go on granting",
                    "CONFIG SET min-replicas-to-write " + needed);
        }
        try {
            long wanted = setting("min-replicas-to-write", call);
            if (wanted < needed) {
                return new CutOff(
                        "has " + replicas + " replicas and min-replicas-to-write " + wanted
                                + ": cut off with some of them it would go on granting while another takes over",
                        "CONFIG SET min-replicas-to-write " + needed);
            }
            long lagSeconds = setting("min-replicas-max-lag", call);
            if (lagSeconds > MOST_LAG_SECONDS) {
                return new CutOff(
                        "has min-replicas-max-lag " + lagSeconds
                                + ": cut off, it would go on granting for longer than Safety.STRICT allows for",
                        "CONFIG SET min-replicas-max-lag " + MOST_LAG_SECONDS);
            }
        } catch (RedisReplyException forbidden) {
            return null;
        }
        return null;
    }

    /** How many replicas must follow a master that may write; zero if it writes without any. */
    public static long wanted(ServerInfo info, Function<String[], @Nullable Object> call) {
        if (!info.has("min_slaves_good_slaves")) {
            return 0;
        }
        try {
            return Math.max(1, setting("min-replicas-to-write", call));
        } catch (RedisReplyException forbidden) {
            return Math.max(1, (info.connectedReplicas() + 1) / 2);
        }
    }

    private static long setting(String name, Function<String[], @Nullable Object> call) {
        Object reply = call.apply(new String[] {"CONFIG", "GET", name});
        return reply instanceof List<?> pair && pair.size() == 2 ? Long.parseLong(Replies.string(pair.get(1))) : 0;
    }
}
