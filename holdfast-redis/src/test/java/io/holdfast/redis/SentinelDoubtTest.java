package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Safety;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The master is in doubt, and the Sentinel that is asked does not answer at once. */
@Tag("integration")
@Timeout(60)
class SentinelDoubtTest {
    @RegisterExtension
    final Bench bench = new Bench();

    private FaultProxy front;
    private RawLocks locks;

    @BeforeEach
    void doubt() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        FaultProxy master = bench.open(FaultProxy.to(server));
        NamedMaster sentinel = bench.open(new NamedMaster(master.port()));
        front = bench.open(FaultProxy.to("127.0.0.1", sentinel.port()));
        locks = bench.raw(bench.builder("redis-sentinel://127.0.0.1:" + front.port() + "/m")
                .safety(Safety.AVAILABLE)
                .requestTimeout(Duration.ofSeconds(20)));
        locks.grant(locks.claim("first", 20_000, false));
        master.refuse();
        master.reset();
        assertThatThrownBy(() -> locks.attempt(locks.claim("a", 1_000, false))).isNotNull();
        master.heal();
    }

    /** Rule: one caller asks the Sentinels, the others wait for its answer. */
    @Test
    void crowd_sentinelIsSlow_fewConnections() {
        int crowd = 40;
        front.delayReplies(Duration.ofMillis(50));
        long before = front.accepted();
        CyclicBarrier together = new CyclicBarrier(crowd);
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        bench.open(threads::shutdownNow);
        List<CompletableFuture<Long>> asking = IntStream.range(0, crowd)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> grant("c" + i, together), threads))
                .toList();
        asking.forEach(each -> assertThat(Bench.get(each)).isPositive());
        assertThat(front.accepted() - before).isLessThanOrEqualTo(crowd / 4);
    }

    private long grant(String name, CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException failed) {
            throw new IllegalStateException(failed);
        }
        return Bench.soon("a grant of " + name)
                .ignoreExceptions() // of a Sentinel that took too long
                .until(() -> locks.grant(locks.claim(name, 20_000, false)), token -> token > 0);
    }

    /** Rule: a short wait does not ask the Sentinels beforehand, with the time of a whole request. */
    @Test
    void shortWait_sentinelIsSilent_isAskedOnce() {
        front.halfOpen();
        long before = front.accepted();
        assertThatThrownBy(() -> locks.backend().attempt(locks.claim("b", 20_000, false), Duration.ofMillis(100)))
                .isNotNull();
        assertThat(front.accepted() - before).isEqualTo(1);
    }
}
