package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.ServerClock;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class TokenFloorTest {

    @Test
    void arguments_clockBehindWhatWasSeen_haveTheFloor() {
        TokenFloor floor = new TokenFloor(Timing.SYSTEM);
        ServerClock clock = new ServerClock();
        clock.learn(0, 1_000, 50_000_000);
        floor.raise(50_000_000, 1_000);
        assertThat(floor.arguments(clock, 1_000)).isEmpty();

        clock.learn(2_000, 3_000, 20_000_000);
        floor.raise(20_000_000, 3_000);
        assertThat(floor.arguments(clock, 3_000)).isDeepEqualTo(new byte[][] {Bytes.of("50000001"), Bytes.of("1")});

        long later = 60_000_000_000L;
        clock.learn(later, later + 1_000, 80_000_000);
        floor.raise(80_000_000, later + 1_000);
        assertThat(floor.arguments(clock, later + 1_000))
                .as("as if the clock had gone on")
                .isDeepEqualTo(new byte[][] {Bytes.of("109940000"), Bytes.of("1")});
    }

    /** Rule: tokens that were made of the floor do not raise it, however many there are. */
    @Test
    void granted_tokensOfTheFloorItself_floorRisesNoFasterThanTime() {
        TokenFloor floor = new TokenFloor(Timing.SYSTEM);
        ServerClock clock = new ServerClock();
        clock.learn(0, 1_000, 20_000_000);
        floor.raise(50_000_000, 1_000);
        long micros = 1;
        for (; micros < 1_000_000; micros += 100) {
            long sent = Long.parseLong(Replies.string(floor.arguments(clock, micros * 1_000)[0]));
            floor.granted(sent + 1, (micros + 100) * 1_000);
        }

        assertThat(floor.isAbove(50_000_000 + micros + 1, 20_000_000, micros * 1_000))
                .isFalse();
    }

    @Test
    void clockSetBack_nameForgottenMeanwhile_tokenStillGrows() {
        ClockShim clock = new ClockShim();
        try (RedisServer server =
                        RedisServer.builder(RedisVersion.V7_0).clock(clock).start();
                LockClient locks = RedisLocks.connect(server.uri())) {
            long before = token(locks);
            clock.step(Duration.ofSeconds(-30));
            server.flushAll(); // as if it had been idle for longer than the retention
            locks.lock("teaches the clock").acquire().close();

            assertThat(token(locks)).isGreaterThan(before);
            assertThat(locks.semaphore("other", 1).acquire()).satisfies(lease -> {
                assertThat(lease.token()).isGreaterThan(before);
                lease.close();
            });
        }
    }

    private static long token(LockClient locks) {
        try (Lease lease = locks.lock("order:42").acquire()) {
            return lease.token();
        }
    }
}
