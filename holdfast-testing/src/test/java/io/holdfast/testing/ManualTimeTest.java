package io.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    private final ManualTime time = new ManualTime(100, 5_000);

    @Test
    void advance_both_moveTogether() {
        time.advance(Duration.ofMillis(3));
        assertThat(time.nanoTime()).isEqualTo(3_000_100);
        assertThat(time.wallMillis()).isEqualTo(5_003);
    }

    @Test
    void advance_partsOfAMillisecond_addUp() {
        time.advance(Duration.ofNanos(600_000));
        assertThat(time.wallMillis()).isEqualTo(5_000);
        time.advance(Duration.ofNanos(600_000));
        assertThat(time.wallMillis()).isEqualTo(5_001);
    }

    @Test
    void advanceWall_only_isASuspendedMachine() {
        time.advanceWall(Duration.ofHours(1));
        assertThat(time.nanoTime()).isEqualTo(100);
        assertThat(time.wallMillis()).isEqualTo(5_000 + 3_600_000);
        time.advanceWall(Duration.ofHours(-1));
        assertThat(time.wallMillis()).isEqualTo(5_000);
    }

    @Test
    void advanceMonotonic_only_leavesTheWallClock() {
        time.advanceMonotonic(Duration.ofNanos(7));
        assertThat(time.nanoTime()).isEqualTo(107);
        assertThat(time.wallMillis()).isEqualTo(5_000);
    }

    @Test
    void advance_backward_isRefused() {
        assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> time.advanceMonotonic(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(time.nanoTime()).isEqualTo(100);
        assertThat(time.wallMillis()).isEqualTo(5_000);
    }

    @Test
    void nanoTime_pastTheLargestNumber_goesOn() {
        ManualTime late = new ManualTime(Long.MAX_VALUE, 0);
        late.advance(Duration.ofNanos(2));
        assertThat(late.nanoTime() - Long.MAX_VALUE).isEqualTo(2);
    }
}
