package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1_000_000_000;
    private static final long AHEAD = 1_700_000_000L * SECONDS;

    private final ServerClock clock = new ServerClock();

    @Test
    void bounds_anyReplies_holdTheTruth() {
        Random random = new Random(1);
        long nowNanos = 0;
        for (int i = 0; i < 2_000; i++) {
            nowNanos += random.nextInt(200) * MILLIS;
            long sent = nowNanos;
            long executed = sent + random.nextInt(50) * MILLIS;
            long received = executed + random.nextInt(50) * MILLIS;
            nowNanos = received;

            assertThat(clock.learn(sent, received, micros(executed))).isZero();

            long grantMicros = micros(nowNanos);
            assertThat(clock.atLeastMicros(nowNanos)).isLessThanOrEqualTo(grantMicros);
            assertThat(clock.notLaterThanNanos(grantMicros)).isLessThanOrEqualTo(nowNanos);
            assertThat(clock.notLaterThanNanos(grantMicros)).isGreaterThan(nowNanos - 110 * MILLIS);
        }
    }

    @Test
    void bounds_severalReplies_narrow() {
        clock.learn(0, 100 * MILLIS, micros(50 * MILLIS));
        clock.learn(200 * MILLIS, 202 * MILLIS, micros(201 * MILLIS));

        assertThat(clock.notLaterThanNanos(micros(300 * MILLIS))).isBetween(297 * MILLIS, 300 * MILLIS);
        assertThat(clock.atLeastMicros(300 * MILLIS)).isBetween(micros(297 * MILLIS), micros(300 * MILLIS));
    }

    @Test
    void learn_clockWasSet_saysByHowMuchAndForgetsTheRest() {
        clock.learn(0, MILLIS, micros(0));

        long forward = clock.learn(SECONDS, SECONDS + MILLIS, micros(SECONDS) + 60 * SECONDS / MICROS);
        assertThat(forward).isBetween(59 * SECONDS, 61 * SECONDS);
        assertThat(clock.atLeastMicros(2 * SECONDS)).isGreaterThan(micros(60 * SECONDS));

        long back = clock.learn(2 * SECONDS, 2 * SECONDS + MILLIS, micros(2 * SECONDS));
        assertThat(back).isBetween(-61 * SECONDS, -59 * SECONDS);
        assertThat(clock.atLeastMicros(3 * SECONDS)).isLessThanOrEqualTo(micros(3 * SECONDS));
    }

    @Test
    void learn_clockDrifts_isNoStep() {
        long server = 0;
        for (long now = 0; now < 100 * SECONDS; now += SECONDS) {
            assertThat(clock.learn(now, now + MILLIS, micros(server))).isZero();
            server += SECONDS + SECONDS / 200;
        }
    }

    @Test
    void ageNanos_nothingLearned_isForever() {
        assertThat(clock.ageNanos(5)).isEqualTo(Long.MAX_VALUE);
        clock.learn(0, 10, micros(5));
        assertThat(clock.ageNanos(30)).isEqualTo(20);
    }

    private static long micros(long localNanos) {
        return (localNanos + AHEAD) / MICROS;
    }
}
