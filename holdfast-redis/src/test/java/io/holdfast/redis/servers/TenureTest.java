package io.holdfast.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.protocol.Slots;
import org.junit.jupiter.api.Test;

class TenureTest {
    private static final long NOW = System.nanoTime();
    private static final long SECOND = 1_000_000_000L;
    private static final long MICROS = 1_000_000;
    private static final String KEY = "k";
    private static final int SLOT = Slots.of(KEY);

    @Test
    void of_slots_coversThoseAndNoOthers() {
        assertThat(tenure(SLOT + "-" + SLOT + "@0", 0, Tenure.ALL).covers(KEY)).isTrue();
        assertThat(tenure("0-" + (SLOT - 1) + "@0," + (SLOT + 1) + "-16383@0", 0, Tenure.ALL)
                        .covers(KEY))
                .isFalse();
        assertThat(Tenure.ALL.covers(KEY)).isTrue();
    }

    @Test
    void of_gainedSlot_isShutFromWhenItWasFound() {
        Tenure tenure = tenure("0-16383@" + 30 * MICROS, 10 * MICROS, Tenure.ALL);
        assertThat(tenure.shutNanos(KEY, NOW)).isEqualTo(20 * SECOND);
        assertThat(tenure.metNanos(KEY, 7)).isEqualTo(NOW);
        assertThat(tenure("0-16383@0", 0, Tenure.ALL).metNanos(KEY, 7)).isEqualTo(7);
    }

    /** Open by the server's clock, which was set forward. */
    @Test
    void of_shutByOurCount_staysShut() {
        Tenure shut = tenure("0-16383@" + 30 * MICROS, 10 * MICROS, Tenure.ALL);
        assertThat(tenure("0-16383@" + 30 * MICROS, 60 * MICROS, shut).shutNanos(KEY, NOW))
                .isEqualTo(20 * SECOND);
        assertThat(tenure("0-16383@0", 60 * MICROS, shut).shutNanos(KEY, NOW + 20 * SECOND))
                .isZero();
    }

    private static Tenure tenure(String slots, long nowMicros, Tenure before) {
        return Tenure.of(slots, nowMicros, NOW, NOW, before);
    }
}
