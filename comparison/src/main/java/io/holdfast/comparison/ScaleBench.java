package io.holdfast.comparison;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.CommandStat;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts what grows with the number of held leases, of idle clients and of names. Prints a table in Markdown. */
public final class ScaleBench {
    private static final int WRONG_OPTION = 2;
    private static final int MOST = 10_000_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int RENEWALS_PER_LEASE = 3;

    /** Longer than a record that nobody uses is kept. */
    private static final Duration RETENTION = Duration.ofSeconds(15);

    private static final double KILO = 1024;

    static final String HELP = """
            bin/bench-scale [options]

              --held N      leases held by one client, 100000 if not said; 0 leaves that out
              --clients N   idle clients, 1000 if not said
              --names N     names that are used once, 1000000 if not said
              --help        print this
            """;

    /** How many of each. */
    record Sizes(boolean help, int held, int clients, int names) {
        static Sizes parse(String... args) {
            boolean help = false;
            int held = 100_000;
            int clients = 1_000;
            int names = 1_000_000;
            for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
                String option = rest.next();
                switch (option) {
                    case "--help", "-h" -> help = true;
                    case "--held" -> held = count(option, rest);
                    case "--clients" -> clients = count(option, rest);
                    case "--names" -> names = count(option, rest);
                    default ->
                        throw new IllegalArgumentException(
                                "unknown option '" + option + "'; bin/bench-scale --help lists the known ones");
                }
            }
            return new Sizes(help, held, clients, names);
        }

        private static int count(String option, Iterator<String> rest) {
            String text = rest.hasNext() ? rest.next() : "";
            int count = text.matches("\\d{1,8}") ? Integer.parseInt(text) : -1;
            if (count < 0 || count > MOST) {
                throw new IllegalArgumentException(option + " is '" + text + "', expected a number from 0 to " + MOST
                        + "; bin/bench-scale --help tells more");
            }
            return count;
        }
    }

    private final PrintStream out;
    private final RedisServer server;

    private ScaleBench(PrintStream out, RedisServer server) {
        this.out = out;
        this.server = server;
    }

    /**
     * Counts.
     *
     * @param args options; {@code --help} lists them
     * @throws InterruptedException if it is interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(System.out, System.err, args));
    }

    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        Sizes sizes;
        try {
            sizes = Sizes.parse(args);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return WRONG_OPTION;
        }
        if (sizes.help()) {
            out.print(HELP);
            return 0;
        }
        try (RedisServer server = RedisServer.builder(RedisVersion.V7_0)
                .config("maxclients", "20000")
                .start()) {
            ScaleBench bench = new ScaleBench(out, server);
            out.println("| what | how many | each | wanted |\n|---|---:|---:|---|");
            if (sizes.held() > 0) {
                bench.held(sizes.held());
            }
            if (sizes.clients() > 0) {
                bench.clients(sizes.clients());
            }
            if (sizes.names() > 0) {
                bench.names(sizes.names());
            }
        }
        return 0;
    }

    private void row(String what, long many, String each, String wanted) {
        out.printf("| %s | %,d | %s | %s |%n", what, many, each, wanted);
    }

    private void held(int count) throws InterruptedException {
        LockOptions options = LockOptions.defaults().lease(LEASE);
        try (LockClient locks =
                RedisLocks.builder(server.uri()).defaults(options).connect()) {
            locks.lock("warm").acquire().close();
            long heapBefore = heap();
            long serverBefore = memory();
            List<Lease> leases = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                leases.add(locks.lock("held-" + i).acquire());
            }
            row("heap of a held lease, bytes", count, Numbers.count((heap() - heapBefore) / (double) count), "≤ 800");
            row("the server's memory of it, bytes", count, per(memory() - serverBefore, count), "–");
            long lost = renewed(count, leases);
            row("of them lost", lost, "–", "0");
            leases.forEach(Lease::close);
        }
    }

    /** Looks for one lease, in which each is renewed three times. */
    private long renewed(int count, List<Lease> leases) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(LEASE.dividedBy(RENEWALS_PER_LEASE).toNanos());
        server.resetStats();
        TimeUnit.NANOSECONDS.sleep(LEASE.toNanos());
        CommandStat calls = server.commandStats().get("evalsha");
        double renewals = (double) count * RENEWALS_PER_LEASE;
        double micros = calls == null ? Double.NaN : calls.usec() / renewals;
        row("the server's time for a renewal, µs, when each has three in a lease", count, Numbers.count(micros), "≤ 3");
        row("calls of scripts in a lease of 30 s", calls == null ? 0 : calls.calls(), "–", "–");
        return leases.stream().filter(lease -> !lease.isValid()).count();
    }

    private void clients(int count) throws InterruptedException {
        int threadsBefore = threads();
        long heapBefore = heap();
        long connectionsBefore = connections();
        List<LockClient> clients = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                clients.add(RedisLocks.connect(server.uri()));
            }
            TimeUnit.NANOSECONDS.sleep(RETENTION.toNanos()); // what was needed to connect ends after some seconds
            row("connections of an idle client", count, per(connections() - connectionsBefore, count), "2");
            row("its threads", count, per(threads() - threadsBefore, count), "3");
            row("its heap, KB", count, Numbers.count((heap() - heapBefore) / KILO / count), "≤ 160");
        } finally {
            clients.forEach(LockClient::close);
        }
    }

    private void names(int count) throws InterruptedException {
        try (LockClient locks = RedisLocks.connect(server.uri())) {
            locks.lock("warm").acquire().close();
            long keysBefore = keys();
            long heapBefore = heap();
            for (int i = 0; i < count; i++) {
                locks.lock("once-" + i).acquire().close();
            }
            TimeUnit.NANOSECONDS.sleep(RETENTION.toNanos());
            row("keys left of names that were used once", Math.max(0, keys() - keysBefore), "–", "0");
            long heap = Math.max(0, heap() - heapBefore);
            row("heap left of them, bytes", count, per(heap, count), "0");
        }
    }

    private static String per(long all, int count) {
        return Numbers.count(all / (double) count);
    }

    /** What is left after a collection. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private long memory() {
        return field("memory", "used_memory");
    }

    private long connections() {
        return field("clients", "connected_clients");
    }

    private long field(String section, String name) {
        Map<String, String> fields = server.info(section);
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    /** The server removes those that are over by and by, ten times a second. */
    private long keys() {
        return server.command("DBSIZE") instanceof Long size ? size : 0;
    }
}
