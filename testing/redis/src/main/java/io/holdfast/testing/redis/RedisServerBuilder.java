package io.holdfast.testing.redis;

import io.holdfast.testing.process.Ports;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a {@link RedisServer} is to run. Without more words it is a lone server that keeps nothing on the disk. */
public final class RedisServerBuilder {
    private final RedisVersion version;
    private final List<String> lines = new ArrayList<>();
    private @Nullable ClockShim clock;
    private @Nullable String password;
    private boolean sentinel;

    RedisServerBuilder(RedisVersion version) {
        this.version = version;
        config("bind", Ports.HOST);
        config("daemonize", "no");
        config("save", "");
        config("protected-mode", "no");
        config("repl-diskless-sync-delay", "0");
    }

    /** One line of redis.conf; a later line for the same name counts. */
    public RedisServerBuilder config(String name, String... values) {
        StringBuilder line = new StringBuilder(name);
        for (String value : values) {
            line.append(' ')
                    .append('"')
                    .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        lines.add(line.toString());
        if (name.equals("requirepass")) {
            password = values[0];
        }
        return this;
    }

    /** Keeps an append-only file, flushed every second unless {@code appendfsync} says otherwise. */
    public RedisServerBuilder appendOnly() {
        return config("appendonly", "yes");
    }

    /** An append-only file that is flushed {@code always}, {@code everysec} or {@code no}. */
    public RedisServerBuilder appendFsync(String policy) {
        return appendOnly().config("appendfsync", policy);
    }

    public RedisServerBuilder replicaOf(RedisServer master) {
        return replicaOf(master.host(), master.port());
    }

    /** A replica that reaches its master at this address, which may be that of a {@link FaultProxy}. */
    public RedisServerBuilder replicaOf(String host, int port) {
        return config("replicaof", host, String.valueOf(port));
    }

    public RedisServerBuilder clusterEnabled() {
        return config("cluster-enabled", "yes").config("cluster-config-file", "nodes.conf");
    }

    /** Runs as a sentinel. */
    public RedisServerBuilder sentinel() {
        lines.removeIf(line -> line.startsWith("save") || line.startsWith("repl-"));
        sentinel = true;
        return this;
    }

    /** The server's wall clock follows this one. */
    public RedisServerBuilder clock(ClockShim shim) {
        clock = shim;
        return this;
    }

    /** Starts the server and waits until it answers. */
    public RedisServer start() {
        return RedisServer.start(this);
    }

    RedisVersion version() {
        return version;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Nullable
    String password() {
        return password;
    }

    @Nullable
    ClockShim clock() {
        return clock;
    }

    boolean isSentinel() {
        return sentinel;
    }
}
