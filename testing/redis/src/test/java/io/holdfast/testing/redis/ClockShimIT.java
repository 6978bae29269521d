package io.holdfast.testing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Needs Linux on a processor that {@link ClockShim} knows, as the tests that move clocks do. */
@Tag("integration")
class ClockShimIT {
    private static final long SLACK_MILLIS = 2_000;

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void step_forwardAndBack_movesTimeAndExpiry(RedisVersion version) {
        ClockShim clock = new ClockShim();
        try (RedisServer server = RedisServer.builder(version).clock(clock).start()) {
            assertThat(aheadMillis(server)).isCloseTo(0, within(SLACK_MILLIS));
            server.command("SET", "k", "v", "PX", "60000");
            clock.step(Duration.ofMillis(30_500));
            assertThat(aheadMillis(server)).isCloseTo(30_500, within(SLACK_MILLIS));
            assertThat((long) server.command("PTTL", "k")).isCloseTo(29_500, within(SLACK_MILLIS));
            clock.step(Duration.ofMillis(-90_500));
            assertThat(aheadMillis(server)).isCloseTo(-60_000, within(SLACK_MILLIS));
            assertThat((long) server.command("PTTL", "k")).isCloseTo(120_000, within(SLACK_MILLIS));
            clock.step(Duration.ofSeconds(130));
            assertThat(server.command("GET", "k")).isNull();
            clock.reset();
            assertThat(aheadMillis(server)).isCloseTo(0, within(SLACK_MILLIS));
        }
    }

    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void restart_steppedBack_keepsTheOffset(RedisVersion version) {
        ClockShim clock = new ClockShim();
        try (RedisServer server =
                RedisServer.builder(version).clock(clock).appendFsync("always").start()) {
            clock.step(Duration.ofMinutes(-10));
            server.command("SET", "k", "v", "PX", "60000");
            server.restart();
            assertThat(aheadMillis(server)).isCloseTo(-600_000, within(SLACK_MILLIS));
            assertThat((long) server.command("PTTL", "k")).isCloseTo(60_000, within(SLACK_MILLIS));
        }
    }

    /** A clock that cannot be taken over must not hide why the server did not start. */
    @Timeout(30)
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void start_badOption_failsWithTheLog(RedisVersion version) {
        assertThatThrownBy(() -> RedisServer.builder(version)
                        .clock(new ClockShim())
                        .config("no-such-option", "1")
                        .start())
                .hasMessageContaining("no-such-option");
    }

    /** A database's process for a connection that was closed just now is such a child, until it is asked for. */
    @Test
    @Timeout(30)
    void step_childHasEndedAndNobodyAskedForItsExit_movesTheRest() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & exec sleep 1000").start();
        try {
            await().until(() -> parent.children().anyMatch(ClockShimIT::hasNoMemory));
            ClockShim clock = new ClockShim();
            clock.attach(parent.pid());
            clock.step(Duration.ofHours(1));
            assertThat(clock.offset()).isEqualTo(Duration.ofHours(1));
        } finally {
            parent.destroyForcibly();
        }
    }

    private static boolean hasNoMemory(ProcessHandle process) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "maps"))
                    .isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static long aheadMillis(RedisServer server) {
        var time = Replies.strings(server.command("TIME"));
        return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000 - System.currentTimeMillis();
    }
}
