package io.holdfast.comparison.spring;

import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Starts an application without locks, with Holdfast and with Redisson in turn, and prints medians: time of the
 * starter's beans in Boot's timeline, time of the whole start, connections and threads at idle. Takes the number of
 * starts of each.
 */
final class Starts {
    private static final int USUAL = 9;
    private static final Duration IDLE = Duration.ofSeconds(3);
    private static final Duration END = Duration.ofSeconds(30);

    private record Start(long beansNanos, long wholeNanos, long connections, long threads) {}

    private Starts() {}

    public static void main(String[] arguments) throws Exception {
        int starts = arguments.length == 0 ? USUAL : Integer.parseInt(arguments[0]);
        Map<Starter, List<Start>> measured = new EnumMap<>(Starter.class);
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0)) {
            for (int i = 0; i < starts; i++) {
                for (Starter starter : Starter.values()) {
                    measured.computeIfAbsent(starter, none -> new ArrayList<>()).add(start(starter, server));
                }
            }
        }
        System.out.println("| starter | its beans | lowest to highest | of Redisson's | whole start | connections"
                + " | threads more than without |");
        System.out.println("|---|---|---|---|---|---|---|");
        measured.forEach((starter, all) -> System.out.println(line(starter, all, measured)));
    }

    private static Start start(Starter starter, RedisServer server) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(starter.name()));
        arguments.addAll(starter.properties(server.uri()));
        JavaProcess application = JavaProcess.program(starter.name(), MeasuredStart.class)
                .arguments(arguments)
                .start();
        try {
            String[] times = answer(application).split(" ", -1);
            TimeUnit.NANOSECONDS.sleep(IDLE.toNanos());
            application.tell("");
            long threads = Long.parseLong(answer(application));
            return new Start(Long.parseLong(times[0]), Long.parseLong(times[1]), connections(server), threads);
        } finally {
            application.kill();
            application.endsWithin(END);
        }
    }

    private static String answer(JavaProcess application) throws IOException {
        String line = application.out().readLine();
        if (line == null) {
            throw new IllegalStateException(application + " did not start");
        }
        return line;
    }

    /** Without the one that asks. */
    private static long connections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private static String line(Starter starter, List<Start> all, Map<Starter, List<Start>> measured) {
        List<Start> without = measured.getOrDefault(Starter.NONE, List.of());
        List<Start> redisson = measured.getOrDefault(Starter.REDISSON, List.of());
        List<Long> beans = all.stream().map(Start::beansNanos).sorted().toList();
        return "| %s | %d ms | %d to %d ms | %.2f | %d ms | %d | %d |"
                .formatted(
                        starter,
                        millis(median(all, Start::beansNanos)),
                        millis(beans.get(0)),
                        millis(beans.get(beans.size() - 1)),
                        (double) median(all, Start::beansNanos) / median(redisson, Start::beansNanos),
                        millis(median(all, Start::wholeNanos)),
                        median(all, Start::connections),
                        median(all, Start::threads) - median(without, Start::threads));
    }

    private static long median(List<Start> starts, ToLongFunction<Start> what) {
        return starts.stream()
                .mapToLong(what)
                .sorted()
                .skip(starts.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
