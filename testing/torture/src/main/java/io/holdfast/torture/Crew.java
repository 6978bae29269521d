package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The workers of a round, each behind proxies of its own. For one thread. */
final class Crew implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(45);
    private static final int QUIET_SECONDS = 40;
    private static final String HOST = "127.0.0.1";
    private static final Duration A_WHILE = Duration.ofSeconds(10);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    /** One place at work: the process changes when it is killed, the proxies stay. */
    private static final class Seat {
        private final int number;
        private final Map<Integer, FaultProxy> proxies = new HashMap<>();
        private int generation;
        private volatile @Nullable WorkerProcess process;

        Seat(int number) {
            this.number = number;
        }

        WorkerProcess process() {
            return Objects.requireNonNull(process);
        }
    }

    private final Site site;
    private final Safety safety;
    private final Duration longestLease;
    private final FencedStore store;
    private final History history;
    private final Path folder;
    private final long seed;
    private final int threads;
    private final Sabotage sabotage;
    private final List<Seat> seats = new ArrayList<>();
    private final Thread guard = new Thread(this::killAll, "crew-shutdown");

    Crew(
            Site site,
            Safety safety,
            Duration longestLease,
            FencedStore store,
            History history,
            Path folder,
            long seed,
            int threads,
            Sabotage sabotage) {
        this.site = site;
        this.safety = safety;
        this.longestLease = longestLease;
        this.store = store;
        this.history = history;
        this.folder = folder;
        this.seed = seed;
        this.threads = threads;
        this.sabotage = sabotage;
        Runtime.getRuntime().addShutdownHook(guard);
    }

    void start(int workers) {
        for (int i = 0; i < workers; i++) {
            Seat seat = new Seat(i);
            for (RedisServer server : reachable()) {
                seat.proxies.put(server.port(), FaultProxy.to(server));
            }
            for (int port : site.otherPorts()) {
                seat.proxies.put(port, FaultProxy.ofBytes(HOST, port));
            }
            seats.add(seat);
            launch(seat);
        }
    }

    /** All that clients speak to. */
    List<RedisServer> reachable() {
        return Stream.concat(site.servers().stream(), site.sentinels().stream()).toList();
    }

    private void launch(Seat seat) {
        String name = "w" + seat.number + "-" + seat.generation;
        Map<Integer, Integer> ports = new HashMap<>();
        for (RedisServer server : reachable()) {
            int proxy = Objects.requireNonNull(seat.proxies.get(server.port())).port();
            ports.put(server.port(), proxy);
            ports.put(site.announcedPort(server), proxy);
        }
        for (int port : site.otherPorts()) {
            ports.put(port, Objects.requireNonNull(seat.proxies.get(port)).port());
        }
        Path log = folder.resolve(name + ".log");
        history.add(name, log);
        WorkerSettings settings = new WorkerSettings(
                site.url(),
                Site.PREFIX + (sabotage == Sabotage.APART ? "_" + seat.number : ""),
                site instanceof QuorumSite,
                sabotage,
                safety,
                longestLease,
                ports,
                store.port(),
                Rng.of(seed, seat.number, seat.generation).between(0, Long.MAX_VALUE - 1),
                threads,
                log);
        seat.process = new WorkerProcess(name, settings, folder.resolve(name + ".err"));
    }

    int size() {
        return seats.size();
    }

    List<WorkerProcess> workers() {
        return seats.stream().map(Seat::process).toList();
    }

    /**
     * Waits a while for somebody to hold the subject, and for a moment more, in which a short hold would have ended.
     */
    Optional<Integer> awaitHolderOf(Subject subject) {
        Patience.until(A_WHILE, () -> holderOf(subject, A_MOMENT).isPresent());
        return holderOf(subject, A_MOMENT);
    }

    /** The number of the worker that has held the subject for that long. */
    private Optional<Integer> holderOf(Subject subject, Duration atLeast) {
        List<String> names = workers().stream().map(WorkerProcess::name).toList();
        return history.holder(subject, atLeast).map(names::indexOf).filter(number -> number >= 0);
    }

    /** What was handed out to workers at that time of what only the server can serve. */
    List<String> granted(Period when) {
        history.read();
        return history.granted(when);
    }

    /** Has any worker been given the subject since then? */
    boolean wasTaken(Subject subject, long sinceNanos) {
        return history.wasTaken(subject, sinceNanos);
    }

    /** The proxies of one worker, one for each server. */
    List<FaultProxy> proxies(int worker) {
        return List.copyOf(seats.get(worker).proxies.values());
    }

    /** The proxy of one worker before one server. */
    FaultProxy proxy(int worker, RedisServer server) {
        return proxy(worker, server.port());
    }

    /** The proxy of one worker before whatever is at that port. */
    FaultProxy proxy(int worker, int port) {
        return Objects.requireNonNull(seats.get(worker).proxies.get(port));
    }

    /** Leads whoever connects from now on to another server. */
    void redirect(int port) {
        seats.forEach(seat -> seat.proxies.values().forEach(proxy -> proxy.redirect(port)));
    }

    /** Kills a worker and starts another one in its place. */
    void replace(int worker) {
        Seat seat = seats.get(worker);
        long killedNanos = System.nanoTime();
        seat.process().kill();
        history.killed(seat.process().name(), killedNanos);
        seat.generation++;
        launch(seat);
    }

    /** Has all workers give back what they hold, does something, and lets them go on. Was all given back? */
    boolean whileQuiet(Runnable work) {
        List<CompletableFuture<String>> answers =
                workers().stream().map(WorkerProcess::quiet).toList();
        boolean quiet = true;
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                    .get(QUIET_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            quiet = false;
        }
        work.run();
        workers().forEach(WorkerProcess::go);
        return quiet;
    }

    /** Has all workers close their clients; returns what is wrong with how they ended. */
    List<Violation> stop() {
        List<Violation> found = new ArrayList<>();
        for (WorkerProcess worker : workers()) {
            if (worker.isAlive()) {
                worker.stop();
            }
        }
        for (WorkerProcess worker : workers()) {
            boolean ended = worker.endsWithin(STOP_PATIENCE);
            long nowNanos = System.nanoTime();
            if (!ended) {
                worker.kill();
            }
            history.read();
            if (!ended) {
                found.add(new Violation(Rule.COUNTS, nowNanos, worker + " did not end when it was told to"));
            } else if (worker.exitCode() != 0 || !history.isClosed(worker.name())) {
                found.add(new Violation(
                        Rule.COUNTS, nowNanos, worker + " ended with " + worker.exitCode() + ", see its .err file"));
            }
            history.killed(worker.name(), nowNanos);
        }
        return found;
    }

    private void killAll() {
        workers().forEach(WorkerProcess::kill);
    }

    @Override
    public void close() {
        killAll();
        seats.forEach(seat -> seat.proxies.values().forEach(FaultProxy::close));
        try {
            Runtime.getRuntime().removeShutdownHook(guard);
        } catch (IllegalStateException e) {
            // The JVM ends already.
        }
    }
}
