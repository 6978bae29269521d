package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.RedisCluster;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cluster whose slots move and whose masters change. */
@Tag("integration")
@Timeout(60)
class ClusterFaultTest {
    private static RedisCluster cluster;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeAll
    static void start() {
        cluster = RedisCluster.startWithReplicas(RedisVersion.V7_0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /**
     * Row 12. Rule: MOVED and READONLY say that nothing was done; the call goes to the server that has the slot now.
     */
    @Test
    void failover_replicaInStep_holderKeepsItAndWaiterIsServed() {
        RedisServer master = cluster.masterOf(bench.key("a"));
        RedisServer replica = cluster.replicasOf(master).get(0);
        Lease lease = bench.client(cluster.uri()).lock("a", Bench.lease(15_000)).acquire();
        CompletableFuture<Lease> waiter = bench.client(cluster.uri()).lock("a").acquireAsync();
        bench.awaitListening(master, "a", 1);
        cluster.failover(replica);
        Bench.soon("a renewal by the new master").ignoreExceptions().until(() -> {
            lease.extend(Duration.ofSeconds(15));
            return true;
        });
        assertThat(lease.isValid()).isTrue();
        assertThat(waiter).isNotDone();
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
        cluster.awaitOk();
    }

    /** Row 13. Rule: tokens come from the clock, so they grow over a loss. */
    @Test
    void takeover_lockForgotten_grantsAgainWithAHigherToken() {
        RedisServer master = cluster.masterOf(bench.key("a"));
        RedisServer replica = cluster.replicasOf(master).get(0);
        LockClient client = bench.client(cluster.uri());
        Lease lease = client.lock("a", Bench.lease(3_000)).acquire();
        LockClient other = bench.client(cluster.uri());
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        cluster.takeover(replica);
        replica.command("DEL", bench.key("a"));
        Lease next = Bench.take(other, "a");
        assertThat(next.token()).isGreaterThan(lease.token());
        Bench.get(lease.lost(), Duration.ofMillis(3_500));
        next.close();
        cluster.awaitOk();
    }

    /**
     * Row 26. Rules: a record has one key, so it is wholly here or there; ASK is followed for one call, with the
     * scripts loaded there first; a renewal of a moving record is repeated alone, where the record is.
     */
    @Test
    void slotMigration_stepByStep_holdsRenewsQueuesAndReleasesEverywhere() {
        String key = bench.key("a");
        int slot = RedisCluster.slotOf(key);
        RedisServer from = cluster.masterOf(slot);
        RedisServer to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        String fresh = inSlot(slot);
        RawLocks holder = bench.raw(cluster.uri());
        Claim held = holder.claim("a", 20_000, false);
        holder.grant(held);
        LockClient other = bench.client(cluster.uri());

        cluster.beginMigration(slot, from, to);
        assertThat(other.lock("a").tryAcquire()).as("still here").isEmpty();
        try (Lease there = other.lock(fresh).tryAcquire().orElseThrow()) {
            assertThat(holder.renew(held, 20_000)).isInstanceOf(RenewResult.Renewed.class);
            there.extend(Duration.ofSeconds(31));
        }
        cluster.moveKeys(slot, from, to);
        assertThat(other.lock("a").tryAcquire()).as("there already").isEmpty();
        assertThat(holder.renew(held, 21_000)).isInstanceOf(RenewResult.Renewed.class);
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        Bench.always("it waits", Duration.ofMillis(300), () -> !waiter.isDone());
        cluster.finishMigration(slot, from, to);
        assertThat(holder.renew(held, 22_000)).isInstanceOf(RenewResult.Renewed.class);
        assertThat(waiter).isNotDone();
        assertThat(holder.release(held)).isTrue();
        Bench.get(waiter, Bench.POLL_BOUND).close();

        Lease again = bench.client(cluster.uri()).lock("a").acquire();
        CompletableFuture<Lease> next = other.lock("a").acquireAsync();
        bench.awaitListening(to, "a", 1);
        again.close();
        Bench.get(next, Bench.AT_ONCE).close();
    }

    /**
     * Row 26 for the slot of a channel. Rule: a client that can no longer listen on its channel looks for a slot that
     * is still there.
     */
    @Test
    void slotMigration_ofTheChannelItself_waitersAreAnnouncedAgain() {
        RedisServer from = cluster.masterOf(bench.key("a"));
        RedisServer to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        LockClient client = bench.client(cluster.uri());
        LockClient other = bench.client(cluster.uri());
        Lease lease = client.lock("a").acquire();
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        bench.awaitListening(from, "a", 1);
        String channel = ((List<?>) from.command("PUBSUB", "SHARDCHANNELS", bench.prefix() + ":*"))
                .get(0)
                .toString();
        cluster.migrateSlot(RedisCluster.slotOf(channel), from, to);
        assertThat(cluster.masterOf(bench.key("a")))
                .as("the lock has another slot than the channel")
                .isSameAs(from);
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        CompletableFuture<Lease> again = client.lock("a").acquireAsync();
        bench.awaitListening(from, "a", 1);
        next.close();
        Bench.get(again, Bench.AT_ONCE).close();
    }

    /** Row 26 under load. Rule: one holder at a time, wherever the record is, and no error that a caller sees. */
    @Test
    void slotMigration_underLoad_oneHolderAtATime() {
        int slot = RedisCluster.slotOf(bench.key("a"));
        RedisServer from = cluster.masterOf(slot);
        RedisServer to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger holds = new AtomicInteger();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LockClient client = bench.client(cluster.uri());
            workers.add(CompletableFuture.runAsync(
                    () -> {
                        long last = 0;
                        while (!over.get()) {
                            try (Lease lease = client.lock("a").acquire()) {
                                assertThat(inside.incrementAndGet()).isEqualTo(1);
                                assertThat(lease.token()).isGreaterThan(last);
                                last = lease.token();
                                holds.incrementAndGet();
                                inside.decrementAndGet();
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        awaitMore(holds, workers);
        cluster.beginMigration(slot, from, to);
        awaitMore(holds, workers);
        cluster.moveKeys(slot, from, to);
        awaitMore(holds, workers);
        cluster.finishMigration(slot, from, to);
        awaitMore(holds, workers);
        over.set(true);
        workers.forEach(Bench::get);
    }

    private static void awaitMore(AtomicInteger holds, List<CompletableFuture<Void>> workers) {
        int before = holds.get();
        Bench.soon("more holds")
                .until(() -> holds.get() > before + 30 || workers.stream().anyMatch(CompletableFuture::isDone));
        assertThat(workers).noneMatch(CompletableFuture::isDone);
    }

    /** Another name whose record has the same slot. */
    private String inSlot(int slot) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "n" + i)
                .filter(name -> RedisCluster.slotOf(bench.key(name)) == slot)
                .findFirst()
                .orElseThrow();
    }
}
