package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server is in doubt while many call it. */
@Tag("integration")
@Timeout(60)
class HandshakeCrowdTest {
    private static final int CROWD = 60;
    private static final int CONNECTIONS = 4;

    @RegisterExtension
    final Bench bench = new Bench();

    /**
     * Rule: those that have a connection wait for the handshake, and the others in their line. With all of them at the
     * handshake, a renewal would come after thousands of threads.
     */
    @Test
    void crowd_handshakeTakesLong_fewWaitForIt() {
        RedisServer server = bench.open(RedisServer.start(RedisVersion.V7_0));
        FaultProxy wire = bench.open(FaultProxy.to(server));
        RawLocks locks = bench.raw(bench.builder("redis://127.0.0.1:" + wire.port())
                .connections(CONNECTIONS)
                .requestTimeout(Duration.ofSeconds(20)));
        locks.grant(locks.claim("first", 20_000, false));
        wire.delayReplies(Duration.ofSeconds(3));
        wire.reset(); // whoever calls next has to shake hands first
        ExecutorService threads = Executors.newFixedThreadPool(CROWD);
        bench.open(threads::shutdownNow);
        List<CompletableFuture<Long>> crowd = IntStream.range(0, CROWD)
                .mapToObj(i ->
                        CompletableFuture.supplyAsync(() -> locks.grant(locks.claim("c" + i, 20_000, false)), threads))
                .toList();

        Bench.soon("the crowd waits")
                .until(() -> waitingIn("WaitingCall") >= CROWD - 2 * CONNECTIONS || waitingIn("OneForAll") > CROWD / 2);
        assertThat(waitingIn("OneForAll")).isLessThanOrEqualTo(2 * CONNECTIONS);

        wire.heal();
        crowd.forEach(each -> assertThat(Bench.get(each)).isPositive());
    }

    /** How many threads are in a method of this class. */
    static long waitingIn(String type) {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().equals("io.holdfast.redis.servers." + type)))
                .count();
    }
}
