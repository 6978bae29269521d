package io.holdfast.comparison;

import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A redis-server process that keeps nothing on disk. */
final class RedisStore implements Store {
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);
    private static final String END = "holdfast-bench-end";

    /** How the server marks what a script and not a client called. */
    private static final String BY_SCRIPT = " lua] ";

    private final RedisServer server;

    RedisStore(RedisVersion version) {
        server = RedisServer.start(version);
    }

    @Override
    public String address() {
        return server.uri();
    }

    @Override
    public long cpuMicros() {
        Map<String, String> cpu = server.info("cpu");
        return micros(cpu, "used_cpu_user") + micros(cpu, "used_cpu_sys");
    }

    private static long micros(Map<String, String> cpu, String field) {
        return Math.round(Double.parseDouble(cpu.getOrDefault(field, "0")) * 1e6);
    }

    /** Reads along with MONITOR: the server's own statistics count what scripts call as well. */
    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        try (RedisConsole monitor = server.console(LONGEST_SILENCE)) {
            monitor.command("MONITOR");
            FutureTask<Long> counting = new FutureTask<>(() -> count(monitor));
            Thread reader = new Thread(counting, "bench-monitor");
            reader.setDaemon(true);
            reader.start();
            work.call();
            server.command("ECHO", END);
            return counting.get();
        }
    }

    private static long count(RedisConsole monitor) {
        long commands = 0;
        for (String line = next(monitor); !line.contains(END); line = next(monitor)) {
            commands += line.contains(BY_SCRIPT) ? 0 : 1;
        }
        return commands;
    }

    private static String next(RedisConsole monitor) {
        return String.valueOf(monitor.read());
    }

    @Override
    public void close() {
        server.close();
    }
}
