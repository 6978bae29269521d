package io.holdfast.redis.protocol;

import java.util.HashMap;
import java.util.Map;

/** What a server reports about itself. */
public final class ServerInfo {
    /** As many of the 40 random digits as make a collision practically impossible. */
    private static final int ID_LENGTH = 16;

    private final Map<String, String> fields = new HashMap<>();

    public ServerInfo(String info) {
        for (String line : info.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
    }

    public String get(String field) {
        return fields.getOrDefault(field, "");
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    /**
     * Changes with the process, and when a process that lost its role gets it back, because it may have lost writes
     * too. It does not change when the first replica gives the server a new replication id.
     */
    public String incarnation() {
        return shortened(get("run_id")) + '-' + (wasReplica() ? shortened(get("master_replid")) : "0");
    }

    /** The process of an incarnation. */
    public static String process(String incarnation) {
        return incarnation.substring(0, incarnation.indexOf('-'));
    }

    /** Whether this process has ever been a replica. */
    public boolean wasReplica() {
        return !get("second_repl_offset").equals("-1");
    }

    boolean hasIdentity() {
        return !get("run_id").isEmpty() && !get("master_replid").isEmpty();
    }

    private static String shortened(String id) {
        return id.substring(0, Math.min(ID_LENGTH, id.length()));
    }

    public String version() {
        return get("redis_version");
    }

    public boolean isAtLeast(int major, int minor) {
        String[] parts = version().split("\\.", -1);
        try {
            int actualMajor = Integer.parseInt(parts[0]);
            int actualMinor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            return actualMajor > major || (actualMajor == major && actualMinor >= minor);
        } catch (NumberFormatException unknown) {
            return false;
        }
    }

    boolean isMaster() {
        return get("role").equals("master");
    }

    /** Whether it may drop keys when its memory is full. */
    public boolean evicts() {
        String policy = get("maxmemory_policy");
        return !policy.isEmpty() && !policy.equals("noeviction");
    }

    boolean isCluster() {
        return get("redis_mode").equals("cluster");
    }

    /** Whether another server has, or had, the same data. */
    public boolean isReplicated() {
        return connectedReplicas() > 0 || wasReplica();
    }

    public int connectedReplicas() {
        String count = get("connected_slaves");
        return count.isEmpty() ? 0 : Integer.parseInt(count);
    }
}
