package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
    private final TestRuntime time = new TestRuntime();

    @ParameterizedTest
    @CsvSource({"100, 89", "1000, 980", "3000, 2960", "30000, 29690", "86400000, 85535990"})
    void of_anyLease_onePercentAndTenMillisLess(long leaseMillis, long usableMillis) {
        Deadline deadline = Deadline.of(Moment.now(time), Duration.ofMillis(leaseMillis));

        assertThat(deadline.remainingNanos(time)).isEqualTo(usableMillis * 1_000_000);
    }

    @Test
    void of_shorterThanTheMargin_pastAtOnce() {
        assertThat(Deadline.of(Moment.now(time), Duration.ofMillis(10)).isPast(time))
                .isTrue();
        assertThat(Deadline.of(Moment.now(time), Duration.ZERO).isPast(time)).isTrue();
    }

    @Test
    void isPast_lastNanosecond_notPast() {
        Deadline deadline = Deadline.of(Moment.now(time), Duration.ofSeconds(1));

        time.jump(Duration.ofNanos(979_999_999));
        assertThat(deadline.isPast(time)).isFalse();
        assertThat(deadline.remainingNanos(time)).isOne();

        time.jump(Duration.ofNanos(1));
        assertThat(deadline.isPast(time)).isTrue();
    }

    @Test
    void remainingNanos_wallClockAhead_countsByTheWallClock() {
        Deadline deadline = Deadline.of(Moment.now(time), Duration.ofSeconds(1));

        time.stepWall(Duration.ofMillis(400));

        assertThat(deadline.remainingNanos(time)).isEqualTo(580_000_000);
    }

    @Test
    void remainingNanos_wallClockBehind_countsByTheMonotonicClock() {
        Deadline deadline = Deadline.of(Moment.now(time), Duration.ofSeconds(1));

        time.stepWall(Duration.ofHours(-1));
        time.jump(Duration.ofMillis(100));

        assertThat(deadline.remainingNanos(time)).isEqualTo(880_000_000);
    }

    /** The monotonic clock may start anywhere, so also shortly before it overflows. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 500_000_000L, -500_000_000L, 0, Long.MIN_VALUE})
    void deadline_clockOverflows_onlyDifferencesCount(long startNanos) {
        TestRuntime clock = new TestRuntime(startNanos);
        Deadline earlier = Deadline.of(Moment.now(clock), Duration.ofMillis(300));
        Deadline later = Deadline.of(Moment.now(clock), Duration.ofSeconds(2));

        assertThat(later.isAfter(earlier)).isTrue();
        assertThat(earlier.isAfter(later)).isFalse();
        assertThat(later.isAfter(later)).isFalse();
        clock.jump(Duration.ofSeconds(1));
        assertThat(earlier.isPast(clock)).isTrue();
        assertThat(later.isPast(clock)).isFalse();
        assertThat(later.remainingNanos(clock)).isEqualTo(970_000_000);
    }
}
