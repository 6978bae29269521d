package io.holdfast.torture;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.Safety;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.AofCopy;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Faults that are harmless one by one and were not together, and such as hit many at once. */
final class Compounds {
    /**
     * A crowd's places are passed over, and the next one served, within a lease and this. Twelve seconds and more were
     * seen before that was so.
     */
    private static final Duration CROWD_PASSED = Duration.ofSeconds(6);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Mode mode;
    private final Safety safety;
    private final Site site;
    private final Crew crew;
    private final Duration shut;
    private final Consumer<Violation> complaints;

    /** @param shut how long a server grants nothing after it was started */
    Compounds(Mode mode, Safety safety, Duration shut, Site site, Crew crew, Consumer<Violation> complaints) {
        this.mode = mode;
        this.safety = safety;
        this.site = site;
        this.crew = crew;
        this.shut = shut;
        this.complaints = complaints;
    }

    /**
     * What was held on the shard is held still, by those who hold it; the shards to which its slots go know nothing of
     * it.
     */
    String restartAndMigrate(Rng rng) {
        ClusterSite cluster = (ClusterSite) site;
        boolean held = crew.awaitHolderOf(Subject.KEPT).isPresent();
        RedisServer shard = site.masterOf(held ? Subject.KEPT : rng.pick(List.of(Subject.values())));
        shard.restartEmpty();
        Threads.sleep(rng.chance(50) ? 0 : rng.between(0, 1_500));
        return shard + " restarted empty, " + cluster.empty(shard, rng) + " slots moved away";
    }

    /**
     * A machine that boots with a slow clock, which the network then sets: the server looks as if it had been up for
     * long.
     */
    String restartWithSlowClock(Rng rng) {
        RedisServer master = rng.pick(site.masters());
        Duration slow = Duration.ofSeconds(rng.between(15, 120));
        int memory = rng.chance(50) ? 0 : rng.below(3);
        AofCopy copy = master.copyAof();
        long killedNanos = System.nanoTime();
        master.kill();
        site.clock().step(slow.negated());
        switch (memory) {
            case 0 -> master.restartEmpty();
            case 1 -> master.restartFrom(copy);
            default -> master.restart();
        }
        long millis = rng.between(100, 2_500);
        Threads.sleep(millis);
        site.clock().reset();
        meet(killedNanos);
        awaitOpening(killedNanos);
        return master + " restarted "
                + List.of("empty", "from a file", "with its file").get(memory) + " with a clock " + slow
                + " slow, set right after " + millis + " ms";
    }

    /** Somebody who was not there before has only the server's word for how long it has been up. */
    private void meet(long killedNanos) {
        try (LockClient newcomer = connect();
                Lease lease = newcomer.lock("newcomer", Subject.QUIET.options(mode.longestLease(safety)))
                        .tryAcquire()
                        .orElseThrow()) {
            long afterNanos = System.nanoTime() - killedNanos;
            if (afterNanos < shut.minus(MOMENT).toNanos()) {
                complaints.accept(new Violation(
                        Rule.GUARD,
                        System.nanoTime(),
                        "a newcomer was granted " + lease + " " + Text.seconds(afterNanos) + " after a restart"));
            }
        } catch (LockStoreException refused) {
            // As it should be.
        }
    }

    private LockClient connect() {
        return Patience.insist(RedisLocks.builder(site.url())
                .prefix(Site.PREFIX)
                .safety(safety)
                .longestLease(mode.longestLease(safety))::connect);
    }

    /**
     * What was asked before the kill may be in somebody's hands a moment later; from then on nothing is granted until
     * the time is over.
     */
    private void awaitOpening(long killedNanos) {
        long fromNanos = killedNanos + MOMENT.toNanos();
        long untilNanos = killedNanos + shut.minus(MOMENT).toNanos();
        Threads.sleep(Math.max(0, (untilNanos - System.nanoTime()) / 1_000_000));
        List<String> granted = crew.granted(new Period(fromNanos, untilNanos));
        if (!granted.isEmpty()) {
            complaints.accept(
                    new Violation(Rule.GUARD, fromNanos, "granted less than " + shut + " after a restart: " + granted));
        }
    }

    /** The claims behind them are served soon. */
    String killCrowd(Rng rng) {
        Subject subject = rng.pick(List.of(Subject.LINE, Subject.LONG, Subject.POOL));
        int size = (int) rng.between(1_000, 4_000);
        long killedNanos;
        try (CrowdProcess crowd = new CrowdProcess(site.url(), mode, safety, subject, size)) {
            crowd.awaitLine();
            killedNanos = System.nanoTime();
        }
        Duration bound = mode.longestLease(safety).plus(CROWD_PASSED);
        long[] served = {0};
        boolean soon = Patience.until(bound, () -> {
            served[0] = System.nanoTime();
            return crew.wasTaken(subject, killedNanos);
        });
        if (!soon) {
            complaints.accept(new Violation(
                    Rule.AVAILABILITY,
                    served[0],
                    "nobody had " + subject + " for " + bound + " after " + size + " who waited for it were killed"));
        }
        return size + " waiters for " + subject + " killed, the next one served after "
                + Text.seconds(served[0] - killedNanos);
    }

    /** As an operator would, while garbage is collected between any two calls of a worker. */
    String breakLocks(Rng rng) {
        crew.workers().forEach(WorkerProcess::collect);
        int broken = 0;
        try (LockClient operator = connect()) {
            long endNanos = System.nanoTime()
                    + Duration.ofMillis(rng.between(1_000, 4_000)).toNanos();
            while (System.nanoTime() - endNanos < 0) {
                broken += breakOne(operator.inspector(), rng.pick(Toil.VIEWED));
                Threads.sleep(rng.between(5, 100));
            }
        } finally {
            crew.workers().forEach(WorkerProcess::go);
        }
        return broken + " locks broken while garbage was collected";
    }

    private static int breakOne(LockInspector inspector, Subject subject) {
        return inspector.find(LockKind.LOCK, subject.name()).stream()
                .mapToInt(status -> (int) status.holders().stream()
                        .filter(holder -> inspector.breakClaim(status, holder))
                        .count())
                .sum();
    }
}
