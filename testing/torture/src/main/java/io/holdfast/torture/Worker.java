package io.holdfast.torture;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.JdbcLocksBuilder;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.redis.jedis.JedisDriver;
import io.holdfast.zookeeper.ZooKeeperLocks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * A client in a process of its own, with threads that take and give back locks until told to stop.
 *
 * <p>Obeys the lines of its standard input: {@code quiet} (take nothing more until told, answer {@code quiet} when
 * nothing is held), {@code collect} (garbage, again and again until told), {@code go}, and {@code stop}. Ends at once
 * when that input ends, because then its parent is gone.
 */
public final class Worker {
    static final String USER = "torture";
    static final String PASSWORD = "torture";
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int CONNECTIONS = 16;
    private static final int GC_MILLIS = 20;

    private final WorkerSettings settings;
    private final EventLog log;
    private final CountChecker counts = new CountChecker();
    private final Baton baton;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean collecting;

    private Worker(WorkerSettings settings) {
        this.settings = settings;
        this.log = new EventLog(settings.log());
        this.baton = new Baton(settings.threads());
    }

    /**
     * Runs until told to stop.
     *
     * @param arguments see {@link WorkerSettings}
     */
    public static void main(String[] arguments) throws IOException {
        new Worker(WorkerSettings.parse(arguments)).run();
    }

    private void run() throws IOException {
        Thread main = Thread.currentThread();
        Threads.start("orders", () -> obey(main));
        LockClient client = connect();
        if (client == null) {
            return;
        }
        client.addListener(counts);
        LossLog losses = new LossLog();
        client.addListener(losses);
        for (int i = 0; i < settings.threads(); i++) {
            Rng rng = Rng.of(settings.seed(), i);
            Toil toil = new Toil(
                    client,
                    log,
                    baton,
                    settings.storePort(),
                    "t" + i,
                    settings.devotionOf(i),
                    settings.quorum(),
                    settings.longestLease(),
                    losses,
                    rng);
            threads.add(Threads.start("t" + i, toil));
        }
        for (Thread thread : threads) {
            join(thread);
        }
        client.close();
        counts.complaints().forEach(complaint -> log.write('T', System.nanoTime(), complaint));
        log.write('C', System.nanoTime(), counts.acquired(), counts.released(), counts.lost());
        log.close();
    }

    /** As patient as a service that is restarted until its store is up; null if told to stop meanwhile. */
    private @org.jspecify.annotations.Nullable LockClient connect() {
        while (!baton.isStopped()) {
            try {
                return open();
            } catch (LockStoreException e) {
                System.err.println(e.getMessage());
                Threads.sleep(200);
            }
        }
        return null;
    }

    private LockClient open() {
        if (settings.quorum()) {
            return quorum();
        }
        if (settings.isZooKeeper()) {
            return zooKeeper();
        }
        return settings.isJdbc() ? jdbc() : builder().connect();
    }

    private LockClient zooKeeper() {
        return ZooKeeperLocks.builder(ZooKeeperSite.proxied(settings.url(), settings.proxies()))
                .root("/" + settings.prefix())
                .session(ZooKeeperSite.SESSION)
                .connect();
    }

    private LockClient quorum() {
        List<String> urls = new ArrayList<>();
        for (String url : settings.url().split(",", -1)) {
            int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
            urls.add("redis://" + USER + ":" + PASSWORD + "@127.0.0.1:"
                    + settings.proxies().get(port));
        }
        return SabotagedQuorum.connect(urls, settings.prefix(), settings.sabotage());
    }

    private LockClient jdbc() {
        int proxy = settings.proxies().values().iterator().next();
        JdbcLocksBuilder builder = JdbcLocks.builder(JdbcSite.proxied(settings.url(), proxy), "", "")
                .table(settings.prefix())
                .createTables()
                .requestTimeout(Duration.ofMillis(TIMEOUT_MILLIS))
                .safety(settings.safety());
        return (settings.safety() == Safety.STRICT ? builder.longestLease(settings.longestLease()) : builder).connect();
    }

    static JedisClientConfig config() {
        return DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis(TIMEOUT_MILLIS)
                .socketTimeoutMillis(TIMEOUT_MILLIS)
                .user(USER)
                .password(PASSWORD)
                .build();
    }

    private RedisLocksBuilder builder() {
        return RedisLocks.builder(settings.url())
                .prefix(settings.prefix())
                .requestTimeout(Duration.ofMillis(TIMEOUT_MILLIS))
                .connectTimeout(Duration.ofMillis(TIMEOUT_MILLIS))
                .safety(settings.safety())
                .longestLease(settings.longestLease())
                .driver(new ProxiedDriver(JedisDriver.create(config()), settings.proxies()))
                .connections(CONNECTIONS);
    }

    private void obey(Thread main) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                switch (line) {
                    case "quiet" -> {
                        baton.pause();
                        System.out.println("quiet");
                    }
                    case "collect" -> {
                        collecting = true;
                        Threads.start("collector", this::collect);
                    }
                    case "go" -> {
                        collecting = false;
                        baton.resume();
                    }
                    case "stop" -> {
                        baton.stop();
                        threads.forEach(Thread::interrupt);
                    }
                    default -> System.err.println("not understood: " + line);
                }
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("no more orders: " + e);
        }
        if (main.isAlive()) {
            Runtime.getRuntime().halt(1);
        }
    }

    private void collect() {
        while (collecting) {
            System.gc();
            Threads.sleep(GC_MILLIS);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
