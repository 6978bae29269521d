package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.Safety;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A guarded server restarts empty, and then its clock is set forward: by that clock, more time has passed than really
 * has.
 */
@Tag("integration")
@Timeout(60)
class GuardClockFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration STEP = Duration.ofSeconds(57);

    @RegisterExtension
    final Bench bench = new Bench();

    private final ClockShim clock = new ClockShim();
    private RedisServer server;

    @BeforeEach
    void open() {
        server = bench.open(RedisServer.builder(RedisVersion.V7_0).clock(clock).start());
        strict().startEmpty().connect().close();
    }

    /** Rule: no mark means shut. How long a process is up is counted by its clock too. */
    @Test
    void restartedEmpty_clockSetForwardBeforeAnybodyLooks_isShut() {
        bench.client(strict()).lock("a", Bench.lease(20_000)).acquire();
        server.restartEmpty();
        clock.step(STEP);
        Bench.soon("a server that seems old")
                .until(() -> Integer.parseInt(server.info("server").get("uptime_in_seconds")) > 40);
        LockClient newcomer = bench.client(strict());
        assertThatThrownBy(() -> newcomer.lock("a", Bench.lease(1_000)).tryAcquire())
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        shut -> assertThat(shut.retryAfter()).isGreaterThan(LONGEST))
                .hasMessageContaining("startEmpty(), or holdfast init");
    }

    /**
     * Rules: a client that saw it shut counts on its own clock and tells the server; a newcomer leaves it time to do
     * so.
     */
    @Test
    void shut_clockSetForward_staysShutForThoseWhoSawItAndForNewcomers() {
        LockClient watcher = bench.client(strict());
        server.restartEmpty();
        Bench.soon("a server that is up").ignoreExceptions().until(() -> {
            watcher.inspector().find(io.holdfast.LockKind.LOCK, "new");
            return true;
        });
        assertRefused(watcher, Duration.ofSeconds(20));
        clock.step(STEP);
        assertRefused(bench.client(strict()), Duration.ZERO);
        assertRefused(watcher, Duration.ofSeconds(10));
        Bench.soon("word of it")
                .atMost(Duration.ofSeconds(10)) // it looks every two seconds
                .until(() -> shutFor().compareTo(Duration.ofSeconds(10)) > 0);
        assertRefused(bench.client(strict()), Duration.ofSeconds(6));
    }

    private static void assertRefused(LockClient client, Duration atLeast) {
        assertThatThrownBy(() -> client.lock("new", Bench.lease(1_000)).tryAcquire())
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        shut -> assertThat(shut.retryAfter()).isGreaterThan(atLeast));
    }

    /** How long the server is shut, by its mark and its clock. */
    private Duration shutFor() {
        String until =
                server.command("GET", bench.prefix() + ":guard").toString().split(" ", -1)[1];
        List<?> time = (List<?>) server.command("TIME");
        long nowMicros = Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
        return Duration.ofNanos((Long.parseLong(until) - nowMicros) * 1_000);
    }

    private RedisLocksBuilder strict() {
        return bench.builder(server.uri()).safety(Safety.STRICT).longestLease(LONGEST);
    }
}
