package io.holdfast.torture;

import io.holdfast.Safety;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a worker process is told on its command line.
 *
 * @param url where the servers are
 * @param prefix of all keys
 * @param quorum whether the servers vote; then their URLs are given with commas between
 * @param sabotage what is wrong on purpose
 * @param safety what is promised after a server forgot
 * @param longestLease of all that are in use
 * @param proxies the port of the proxy for the port of each server
 * @param storePort where the fenced store is
 * @param seed of what the threads do
 * @param threads how many
 * @param log where to write events to
 */
record WorkerSettings(
        String url,
        String prefix,
        boolean quorum,
        Sabotage sabotage,
        Safety safety,
        Duration longestLease,
        Map<Integer, Integer> proxies,
        int storePort,
        long seed,
        int threads,
        Path log) {

    /** Which subject a thread is there for alone, if any. */
    Optional<Subject> devotionOf(int thread) {
        boolean keeps = longestLease.compareTo(Subject.LONGEST_LEASE) > 0;
        return thread == 0
                ? Optional.of(Subject.LONG)
                : thread == 1 && keeps ? Optional.of(Subject.KEPT) : Optional.empty();
    }

    boolean isJdbc() {
        return url.startsWith("jdbc:");
    }

    boolean isZooKeeper() {
        return url.startsWith(ZooKeeperSite.SCHEME);
    }

    List<String> arguments() {
        List<String> ports = new ArrayList<>();
        proxies.forEach((server, proxy) -> ports.add(server + "=" + proxy));
        return List.of(
                url,
                prefix,
                String.valueOf(quorum),
                sabotage.name(),
                safety.name(),
                longestLease.toString(),
                String.join(",", ports),
                String.valueOf(storePort),
                String.valueOf(seed),
                String.valueOf(threads),
                log.toString());
    }

    static WorkerSettings parse(String... words) {
        Map<Integer, Integer> proxies = new HashMap<>();
        for (String pair : words[6].split(",", -1)) {
            int equals = pair.indexOf('=');
            proxies.put(Integer.valueOf(pair.substring(0, equals)), Integer.valueOf(pair.substring(equals + 1)));
        }
        return new WorkerSettings(
                words[0],
                words[1],
                Boolean.parseBoolean(words[2]),
                Sabotage.valueOf(words[3]),
                Safety.valueOf(words[4]),
                Duration.parse(words[5]),
                proxies,
                Integer.parseInt(words[7]),
                Long.parseLong(words[8]),
                Integer.parseInt(words[9]),
                Path.of(words[10]));
    }
}
