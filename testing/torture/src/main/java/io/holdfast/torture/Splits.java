package io.holdfast.torture;

import io.holdfast.Safety;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Masters that others do not see any more, though they live, or that do not answer, though their connections stay open.
 */
final class Splits {
    private static final Duration FAILOVER = Duration.ofSeconds(10);

    private final Safety safety;
    private final Site site;
    private final Crew crew;
    private final Consumer<Violation> complaints;

    Splits(Safety safety, Site site, Crew crew, Consumer<Violation> complaints) {
        this.safety = safety;
        this.site = site;
        this.crew = crew;
        this.complaints = complaints;
    }

    /**
     * One master and some workers on one side; the other workers and all other servers on the other, where a replica
     * takes over. Mostly it happens to somebody who has begun to hold a lock for long: the old master lets the next one
     * in when that lease ends there, if it may.
     */
    String part(Rng rng) {
        Optional<Integer> holder = crew.awaitHolderOf(Subject.KEPT);
        RedisServer master =
                holder.isPresent() && rng.chance(80) ? site.masterOf(Subject.KEPT) : rng.pick(site.masters());
        Set<Integer> left = left(holder, rng);
        boolean silently = rng.chance(50);
        BooleanSupplier replaced = site.replacementOf(master);
        long startNanos = System.nanoTime();
        cutWorkers(master, left, silently);
        site.part(master, silently, rng);
        boolean failedOver = Patience.until(FAILOVER, replaced);
        Threads.sleep(rng.between(3_000, 10_000));
        for (int worker = 0; worker < crew.size(); worker++) {
            crew.proxies(worker).forEach(FaultProxy::heal);
        }
        site.rejoin();
        return master + " parted" + (silently ? " silently" : "") + " with workers " + left + " for "
                + Text.seconds(System.nanoTime() - startNanos) + (failedOver ? "" : ", not replaced") + ", held by "
                + holder;
    }

    /** Who stays with the old master: some, not all, and mostly not the holder. */
    private Set<Integer> left(Optional<Integer> holder, Rng rng) {
        List<Integer> others = new ArrayList<>();
        for (int worker = 0; worker < crew.size(); worker++) {
            if (holder.isEmpty() || worker != holder.get() || rng.chance(20)) {
                others.add(worker);
            }
        }
        int most = Math.min(others.size(), crew.size() - 1);
        int count = most <= 1 ? most : (int) rng.between(1, most);
        Set<Integer> left = new HashSet<>();
        while (left.size() < count) {
            left.add(rng.pick(others));
        }
        return left;
    }

    private void cutWorkers(RedisServer master, Set<Integer> left, boolean silently) {
        Consumer<FaultProxy> cut = silently ? FaultProxy::halfOpen : WireFaults::refuse;
        for (int worker = 0; worker < crew.size(); worker++) {
            for (RedisServer server : crew.reachable()) {
                if (left.contains(worker) != (server == master)) {
                    cut.accept(crew.proxy(worker, server));
                }
            }
        }
    }

    /**
     * The process stands still, or nothing reaches it and nothing comes from it; a client that does nothing but hold
     * goes on holding.
     */
    String silence(Rng rng) {
        boolean stopped = rng.chance(50);
        try (Holder holder = new Holder(site, safety)) {
            RedisServer master = holder.master();
            BooleanSupplier replaced = site.replacementOf(master);
            long startNanos = System.nanoTime();
            if (stopped) {
                master.pause();
            } else {
                holder.proxy(master).halfOpen();
                for (int worker = 0; worker < crew.size(); worker++) {
                    crew.proxy(worker, master).halfOpen();
                }
                site.part(master, true, rng);
            }
            boolean failedOver = Patience.until(FAILOVER, replaced);
            Optional<String> complaint = failedOver ? holder.follow() : Optional.empty();
            Threads.sleep(rng.between(0, 2_000));
            if (stopped) {
                master.resume();
            } else {
                holder.proxy(master).heal();
                for (int worker = 0; worker < crew.size(); worker++) {
                    crew.proxy(worker, master).heal();
                }
                site.rejoin();
            }
            complaint = complaint.or(holder::loss);
            complaint.ifPresent(text -> complaints.accept(new Violation(Rule.AVAILABILITY, System.nanoTime(), text)));
            return master + (stopped ? " stopped" : " unreachable") + " for "
                    + Text.seconds(System.nanoTime() - startNanos) + (failedOver ? "" : ", not replaced");
        }
    }
}
