package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.engine.LockEngine;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * One client that holds very many leases: what each costs in memory, how many threads keep them alive, and whether
 * somebody who takes other locks notices the rounds in which they are renewed.
 *
 * <p>Latencies are kept apart by whether the watchdog was at work, so that both come from the same seconds of the same
 * run.
 */
final class HeldLeases {
    private static final String THREADS = "holdfast-scale";
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final int SETTLING_COLLECTIONS = 3;

    /** How many other names the acquirer takes in turn. */
    private static final int OTHER_NAMES = 64;

    private final int leases;
    private final Duration watched;
    private final List<String> names;

    private HeldLeases(int leases, Duration watched) {
        this.leases = leases;
        this.watched = watched;
        this.names =
                IntStream.range(0, leases).mapToObj(number -> "order:" + number).toList();
    }

    /**
     * What was seen.
     *
     * @param bytesPerLease heap for each held lease, without its name
     * @param storeBytesPerLease the part of that which the store would need for the same claims
     * @param threads how many threads the client had after several rounds
     * @param rounds how many rounds of renewals there were
     * @param renewed how many renewals were told of
     * @param lost how many leases were no longer valid at the end
     * @param duringRounds what acquire and close took while the watchdog worked
     * @param betweenRounds what they took while it did not
     * @param left how many resources were still held after the client was closed
     */
    record Seen(
            long bytesPerLease,
            long storeBytesPerLease,
            long threads,
            long rounds,
            long renewed,
            long lost,
            Latencies duringRounds,
            Latencies betweenRounds,
            long left) {}

    /** Measures with {@code leases} held for {@code watched}, after they have been taken. */
    static Seen measure(int leases, Duration watched) throws InterruptedException {
        return new HeldLeases(leases, watched).measure();
    }

    /** Runs alone: an optional number of leases, 100,000 if there is none. */
    public static void main(String[] args) throws InterruptedException {
        int leases = args.length == 0 ? 100_000 : Integer.parseInt(args[0]);
        Seen seen = measure(leases, Duration.ofSeconds(12));
        print("%,d leases of %s in one client%n", leases, LEASE);
        print("memory     %,d B each (%,d B of it in the store)%n", seen.bytesPerLease(), seen.storeBytesPerLease());
        print("threads    %d%n", seen.threads());
        print("renewals   %,d in %d rounds%n", seen.renewed(), seen.rounds());
        print("lost       %d%n", seen.lost());
        print("held after close %d%n", seen.left());
        print("acquire + close of other names, in microseconds:%n");
        print("  between rounds %s%n", described(seen.betweenRounds()));
        print("  during rounds  %s%n", described(seen.duringRounds()));
    }

    private static String described(Latencies latencies) {
        return String.format(
                Locale.ROOT,
                "p50 %8.1f   p99 %8.1f   max %8.1f   (%,d pairs)",
                latencies.quantileNanos(0.5) / 1e3,
                latencies.quantileNanos(0.99) / 1e3,
                latencies.longestNanos() / 1e3,
                latencies.count());
    }

    private Seen measure() throws InterruptedException {
        long storeBytes = storeBytes();
        long bytes = clientBytes();
        MemoryStore store = new MemoryStore();
        WatchedRuntime runtime = new WatchedRuntime(THREADS);
        LongAdder renewed = new LongAdder();
        Latencies during = new Latencies();
        Latencies between = new Latencies();
        try (LockClient locks =
                LockEngine.start(store.connect(), LockOptions.defaults().lease(LEASE), runtime)) {
            List<Lease> held = acquireAll(locks);
            locks.addListener(event -> {
                if (event instanceof LockEvent.Renewed) {
                    renewed.increment();
                }
            });
            long roundsBefore = runtime.rounds();
            acquireOthers(locks, runtime, during, between);
            return new Seen(
                    bytes / leases,
                    storeBytes / leases,
                    threads(),
                    runtime.rounds() - roundsBefore,
                    renewed.sum(),
                    held.stream().filter(lease -> !lease.isValid()).count(),
                    during,
                    between,
                    closed(locks, store));
        }
    }

    private List<Lease> acquireAll(LockClient locks) {
        List<Lease> held = new ArrayList<>(leases);
        names.forEach(name -> held.add(locks.lock(name).acquire()));
        return held;
    }

    /** What the client and its store keep for all leases. Also warms up the way to a lease. */
    private long clientBytes() {
        List<Lease> held = List.of();
        try (LockClient locks = MemoryLocks.create()) {
            long before = usedBytes();
            held = acquireAll(locks);
            return usedBytes() - before;
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    private static long closed(LockClient locks, MemoryStore store) {
        locks.close();
        try (LockBackend look = store.connect()) {
            look.start("look", new Deaf());
            return look.list("").count();
        }
    }

    private void acquireOthers(LockClient locks, WatchedRuntime runtime, Latencies during, Latencies between)
            throws InterruptedException {
        List<DistributedLock> others = IntStream.range(0, OTHER_NAMES)
                .mapToObj(number -> locks.lock("other:" + number))
                .toList();
        long startNanos = System.nanoTime();
        long nowNanos = startNanos;
        for (int i = 0; nowNanos - startNanos < watched.toNanos(); i++) {
            boolean atWork = runtime.isAtWork();
            long begun = runtime.begun();
            long pairNanos = System.nanoTime();
            others.get(i % OTHER_NAMES).acquireInterruptibly().close();
            nowNanos = System.nanoTime();
            boolean disturbed = atWork || runtime.isAtWork() || runtime.begun() != begun;
            (disturbed ? during : between).add(nowNanos - pairNanos);
        }
    }

    /** What the store keeps for as many claims, made here so that they do not count. */
    private long storeBytes() {
        MemoryStore store = new MemoryStore();
        try (LockBackend backend = store.connect()) {
            backend.start("scale", new Deaf());
            List<Claim> claims = IntStream.range(0, leases)
                    .mapToObj(number -> claim(number, names.get(number)))
                    .toList();
            long before = usedBytes();
            claims.forEach(claim -> backend.attempt(claim, LEASE));
            long bytes = usedBytes() - before;
            claims.forEach(backend::release);
            return bytes;
        }
    }

    private static Claim claim(int number, String name) {
        Resource resource = new Resource(LockKind.LOCK, name, 1);
        return Claim.builder(new ClaimId("scale", number), resource, LockOptions.LONGEST_LEASE)
                .waits(true)
                .label("scale")
                .build();
    }

    /** The store never has anything to say to a client that waits for nobody. */
    private static final class Deaf implements BackendListener {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

        @Override
        public void changed(Resource resource) {}

        @Override
        public void missed() {}
    }

    private static long usedBytes() {
        for (int i = 0; i < SETTLING_COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREADS))
                .count();
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
