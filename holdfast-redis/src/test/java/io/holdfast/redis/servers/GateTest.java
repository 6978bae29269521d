package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GateTest {
    private static final long NOW = System.nanoTime();
    private static final long SECOND = 1_000_000_000L;
    private static final long MICROS = 1_000_000;

    @Test
    void after_neverSeenShut_isOpenAndSaysSo() {
        Gate gate = Gate.OPEN.after(NOW, NOW + 1, 0);
        assertThat(gate.shutNanos(NOW)).isZero();
        assertThat(gate.stillMillis(NOW)).isNegative();
    }

    @Test
    void after_shut_countsFromTheReply() {
        Gate gate = Gate.OPEN.after(NOW, NOW + SECOND, 10 * MICROS);
        assertThat(gate.shutNanos(NOW + SECOND)).isEqualTo(10 * SECOND);
        assertThat(gate.stillMillis(NOW + 10 * SECOND + 1)).isEqualTo(1_000);
        assertThat(gate.shutNanos(NOW + 11 * SECOND)).isZero();
        assertThat(gate.stillMillis(NOW + 12 * SECOND)).isZero();
    }

    /** The server says that it is open, by a clock that was set forward. */
    @Test
    void after_lessOrNothingLeft_countsOn() {
        Gate gate = Gate.OPEN.after(NOW, NOW, 10 * MICROS);
        assertThat(gate.after(NOW + SECOND, NOW + SECOND, 2 * MICROS)).isEqualTo(gate);
        assertThat(gate.after(NOW + SECOND, NOW + SECOND, 0)).isEqualTo(gate);
        assertThat(gate.after(NOW + SECOND, NOW + 2 * SECOND, 9 * MICROS))
                .as("the way there and back is not added")
                .isEqualTo(gate);
    }

    /** Later clients then need not wait for an objection. */
    @Test
    void shut_isLookedAtUntilOnceAfterTheEnd() {
        Gate gate = Gate.OPEN.after(NOW, NOW, 10 * MICROS);
        assertThat(Gate.OPEN.wantsALook(NOW)).isFalse();
        assertThat(gate.wantsALook(NOW)).isTrue();
        assertThat(gate.wantsALook(NOW + 10 * SECOND - 1)).isTrue();
        assertThat(gate.wantsALook(NOW + 10 * SECOND)).isFalse();
    }

    @Test
    void after_moreLeft_isPutOff() {
        Gate gate = Gate.OPEN.after(NOW, NOW, 10 * MICROS).after(NOW, NOW, 30 * MICROS);
        assertThat(gate.shutNanos(NOW)).isEqualTo(30 * SECOND);
    }
}
