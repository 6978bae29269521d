package io.holdfast.torture.overload;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.torture.ProxiedDriver;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * The process that is measured: one client, the leases that it holds and its callers. It writes a line when a row
 * begins, one when its time is up, and one with its figures; {@link Overload} reads them.
 */
final class LoadedProcess {
    /** Where a row begins. */
    static final String BEGIN = "begin ";

    /** Where the time of a row is up, and its callers are told to end. */
    static final String END = "end";

    /** The figures of a row, when its callers have ended. */
    static final String FIGURES = "figures ";

    private static final long LEAST_SETTLING = 3_000_000_000L;
    private static final long MOST_SETTLING = 30_000_000_000L;

    private final LockClient client;
    private final Crowd.Held held;
    private final Observer observer;
    private final String kind;
    private final int port;
    private final long millis;

    private LoadedProcess(LockClient client, Crowd.Held held, String kind, int port, long millis) {
        this.client = client;
        this.held = held;
        this.observer = new Observer(held.leases());
        this.kind = kind;
        this.port = port;
        this.millis = millis;
    }

    /**
     * Measures each row.
     *
     * @param arguments store, distance, kind, leases held, their length in seconds, milliseconds per row, keys, numbers
     *     of callers, port of the first server, address
     */
    public static void main(String[] arguments) throws Exception {
        Duration lease = Duration.ofSeconds(Integer.parseInt(arguments[4]));
        try (LockClient client = connect(arguments[0], Duration.ofMillis(Long.parseLong(arguments[1])), arguments[9]);
                Crowd.Held held = new Crowd.Held(
                        client.withDefaults(LockOptions.defaults().lease(lease)), Integer.parseInt(arguments[3]))) {
            LoadedProcess loaded = new LoadedProcess(
                    client, held, arguments[2], Integer.parseInt(arguments[8]), Long.parseLong(arguments[5]));
            for (String keys : arguments[6].split(",", -1)) {
                for (String callers : arguments[7].split(",", -1)) {
                    loaded.measure(keys, Integer.parseInt(callers));
                }
            }
        }
        System.exit(0);
    }

    private static LockClient connect(String store, Duration distance, String address) {
        return switch (store) {
            case "quorum" ->
                QuorumLocks.builder(Arrays.asList(address.split(",", -1)))
                        .startEmpty()
                        .nodeTimeout(Duration.ofSeconds(1).plus(distance))
                        .connect();
            case "cluster" -> cluster(address);
            default -> RedisLocks.connect(address);
        };
    }

    /** @param address the cluster's, and for the port of each server the one to use instead */
    private static LockClient cluster(String address) {
        List<String> parts = Arrays.asList(address.split(" ", -1));
        Map<Integer, Integer> lines = new HashMap<>();
        for (String line : parts.subList(1, parts.size())) {
            List<String> ports = Arrays.asList(line.split("=", -1));
            lines.put(Integer.parseInt(ports.get(0)), Integer.parseInt(ports.get(1)));
        }
        JedisDriver driver = JedisDriver.create(DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .build());
        return RedisLocks.connect(parts.get(0), new ProxiedDriver(driver, lines));
    }

    private void measure(String keys, int callers) throws Exception {
        try (BareServer bare = keys.equals("none") ? new BareServer("127.0.0.1", port) : null) {
            Crowd crowd = new Crowd(client, kind, callers, i -> keys.equals("one") ? "one" : "own-" + i, bare);
            crowd.start();
            crowd.awaitBegun();
            settle(crowd, callers);
            observer.reset();
            long lostBefore = held.lost();
            long cycles = crowd.cycles();
            long began = System.nanoTime();
            tell(BEGIN + keys + " " + callers);
            Thread.sleep(millis);
            long made = crowd.cycles() - cycles;
            double seconds = (System.nanoTime() - began) / 1e9;
            tell(END);
            crowd.end();
            tell(String.format(
                    Locale.ROOT,
                    "%s%d %.3f %d %d %d %d",
                    FIGURES,
                    made,
                    seconds,
                    held.lost() - lostBefore,
                    crowd.failures(),
                    observer.shortestMillis(),
                    observer.latestMillis()));
            if (!crowd.failure().isEmpty()) {
                tell("  " + crowd.failure());
            }
        }
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /**
     * Lets everybody have a few turns, and the compiler do its work: the first turns of ten thousand threads measure
     * their start.
     */
    private static void settle(Crowd crowd, int callers) throws InterruptedException {
        long began = System.nanoTime();
        long passed = 0;
        while (passed < LEAST_SETTLING || (passed < MOST_SETTLING && crowd.cycles() < 3L * callers)) {
            Thread.sleep(100);
            passed = System.nanoTime() - began;
        }
    }
}
