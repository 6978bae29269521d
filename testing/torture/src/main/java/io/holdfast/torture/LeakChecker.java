package io.holdfast.torture;

import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisConsoleException;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what is in the servers: every key must have an end, and once all clients are gone nothing may be left but
 * their records.
 */
class LeakChecker {
    /** How long a record is kept after its last lease, so that tokens go on growing. */
    private static final Duration RETENTION = Duration.ofSeconds(10);

    private static final Duration SLACK = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String ALL = Site.PREFIX + "*";

    private final Site site;
    private final Duration longestLease;
    private final List<Violation> found = new ArrayList<>();
    private long looks;

    LeakChecker(Site site, Duration longestLease) {
        this.site = site;
        this.longestLease = longestLease;
    }

    static LeakChecker of(Site site, Duration longestLease) {
        return site instanceof JdbcSite database
                ? new JdbcLeakChecker(database, longestLease)
                : new LeakChecker(site, longestLease);
    }

    /** How often the servers were looked at. */
    synchronized long looks() {
        return looks;
    }

    synchronized List<Violation> found() {
        return List.copyOf(found);
    }

    /** Looks for a key without an end. A server that does not answer is left out. */
    synchronized void sample() {
        for (RedisServer server : site.servers()) {
            try {
                complain(endless(keys(server)), server);
                looked();
            } catch (RedisConsoleException | RedisUnreachableException e) {
                // Down, busy or loading.
            }
        }
        site.endless().ifPresent(this::complain);
    }

    private void complain(List<String> endless) {
        if (!endless.isEmpty()) {
            found.add(new Violation(Rule.LEAK, System.nanoTime(), "without an end: " + endless));
        }
        looks++;
    }

    private void complain(List<String> keys, RedisServer server) {
        if (!keys.isEmpty()) {
            complain("without an end at " + server + ": " + keys);
        }
    }

    final synchronized void complain(String what) {
        found.add(new Violation(Rule.LEAK, System.nanoTime(), what));
    }

    final synchronized void looked() {
        looks++;
    }

    static List<String> endless(Map<String, Long> keys) {
        return keys.entrySet().stream()
                .filter(key -> key.getValue() == -1)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * What must not be there when nobody is left: neither marks of a guard nor cards of clients, which end by
     * themselves.
     */
    static List<String> leftBehind(Map<String, Long> keys) {
        return keys.keySet().stream()
                .filter(key -> !key.contains(":guard") && !key.endsWith(":member") && !key.contains(":client:"))
                .toList();
    }

    /**
     * All workers are gone: waits until nothing is left, and complains if that takes longer than a lease and the
     * retention.
     */
    synchronized void checkEnd() {
        Duration time = longestLease.plus(RETENTION).plus(SLACK);
        Patience.until(
                time,
                () -> site.leftBehind().isEmpty()
                        && site.masters().stream()
                                .allMatch(server -> remains(server).isEmpty()));
        List<String> leftBehind = site.leftBehind();
        if (!leftBehind.isEmpty()) {
            found.add(new Violation(Rule.LEAK, System.nanoTime(), "left after " + time + ": " + leftBehind));
        }
        for (RedisServer master : site.masters()) {
            List<String> remains = remains(master);
            if (!remains.isEmpty()) {
                complain("left at " + master + " after " + time + ": " + remains);
            }
        }
        sample();
    }

    private static List<String> remains(RedisServer server) {
        List<String> remains = new ArrayList<>(leftBehind(keys(server)));
        try (RedisConsole console = server.console(SOON)) {
            remains.addAll(strings(console.command("PUBSUB", "CHANNELS", ALL)));
            try {
                remains.addAll(strings(console.command("PUBSUB", "SHARDCHANNELS", ALL)));
            } catch (RedisConsoleException before7) {
                // Redis 6.2 has none.
            }
        }
        return remains;
    }

    /** All keys and how long they last, in ms. */
    private static Map<String, Long> keys(RedisServer server) {
        Map<String, Long> keys = new LinkedHashMap<>();
        try (RedisConsole console = server.console(SOON)) {
            List<String> names = strings(console.command("KEYS", ALL));
            for (String name : names) {
                if (console.command("PTTL", name) instanceof Long millis) {
                    keys.put(name, millis);
                }
            }
        }
        return keys;
    }

    private static List<String> strings(@Nullable Object reply) {
        return reply instanceof List<?> parts
                ? parts.stream().map(String::valueOf).toList()
                : List.of();
    }
}
