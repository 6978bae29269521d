package io.holdfast.comparison;

import io.holdfast.testing.redis.DelayLine;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private final List<AutoCloseable> between = new ArrayList<>();
    private final List<String> flags;
    private String address;

    RedisStore(RedisVersion version, Ground ground) {
        server = RedisServer.start(version);
        ground.pinServer(server.pid());
        address = server.uri();
        int port = server.port();
        if (!ground.delay().isZero()) {
            DelayLine line = new DelayLine(server.host(), port, ground.delay());
            between.add(line);
            port = line.port();
            address = "redis://" + server.host() + ":" + port;
        }
        flags = ground.tls() ? secured(port) : List.of();
    }

    /** Puts TLS before it. Returns what makes clients trust it: every library asks the trust store of its JVM. */
    private List<String> secured(int port) {
        TestCertificates certificates = TestCertificates.create();
        FaultProxy proxy = FaultProxy.tls(certificates.serverContext(), server.host(), port);
        between.add(0, proxy);
        between.add(certificates);
        address = proxy.uri();
        return List.of(
                "-Djavax.net.ssl.trustStore=" + certificates.trustStore(),
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=" + certificates.password());
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public List<String> clientFlags() {
        return flags;
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
        for (AutoCloseable each : between) {
            try {
                each.close();
            } catch (Exception broken) {
                // it ends with this process
            }
        }
        server.close();
    }
}
