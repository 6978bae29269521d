package io.holdfast.torture;

import io.holdfast.redis.Safety;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker process is told on its command line.
 *
 * @param url where the servers are
 * @param prefix of all keys
 * @param quorum whether the servers vote; then their URLs are given with commas between
 * @param sabotage what is wrong on purpose
 * @param safety what is promised after a server forgot
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
        Map<Integer, Integer> proxies,
        int storePort,
        long seed,
        int threads,
        Path log) {

    List<String> arguments() {
        List<String> ports = new ArrayList<>();
        proxies.forEach((server, proxy) -> ports.add(server + "=" + proxy));
        return List.of(
                url,
                prefix,
                String.valueOf(quorum),
                sabotage.name(),
                safety.name(),
                String.join(",", ports),
                String.valueOf(storePort),
                String.valueOf(seed),
                String.valueOf(threads),
                log.toString());
    }

    static WorkerSettings parse(String... words) {
        Map<Integer, Integer> proxies = new HashMap<>();
        for (String pair : words[5].split(",", -1)) {
            int equals = pair.indexOf('=');
            proxies.put(Integer.valueOf(pair.substring(0, equals)), Integer.valueOf(pair.substring(equals + 1)));
        }
        return new WorkerSettings(
                words[0],
                words[1],
                Boolean.parseBoolean(words[2]),
                Sabotage.valueOf(words[3]),
                Safety.valueOf(words[4]),
                proxies,
                Integer.parseInt(words[6]),
                Long.parseLong(words[7]),
                Integer.parseInt(words[8]),
                Path.of(words[9]));
    }
}
