package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockOptionsTest {
    private static final LockOptions DEFAULTS = LockOptions.defaults();

    @Test
    void defaults_thirtySecondsRenewedThroughput() {
        assertThat(DEFAULTS.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(DEFAULTS.renewed()).isTrue();
        assertThat(DEFAULTS.maxHold()).isEmpty();
        assertThat(DEFAULTS.fairness()).isEqualTo(Fairness.THROUGHPUT);
        assertThat(DEFAULTS.label()).isEmpty();
        assertThat(DEFAULTS.waitThroughOutages()).isZero();
    }

    @Test
    void everyMethod_returnsACopyAndKeepsTheRest() {
        LockOptions all = DEFAULTS.label("worker 7")
                .fairness(Fairness.FIFO)
                .maxHold(Duration.ofMinutes(5))
                .waitThroughOutages(Duration.ofSeconds(20))
                .lease(Duration.ofSeconds(10));

        assertThat(all.lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(all.renewed()).isTrue();
        assertThat(all.maxHold()).contains(Duration.ofMinutes(5));
        assertThat(all.fairness()).isEqualTo(Fairness.FIFO);
        assertThat(all.label()).contains("worker 7");
        assertThat(all.waitThroughOutages()).isEqualTo(Duration.ofSeconds(20));
        defaults_thirtySecondsRenewedThroughput();
    }

    @Test
    void fixedLease_notRenewedUntilARenewedLeaseIsChosen() {
        LockOptions fixed = DEFAULTS.fixedLease(Duration.ofSeconds(5));

        assertThat(fixed.renewed()).isFalse();
        assertThat(fixed.lease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(fixed.fairness(Fairness.FIFO).renewed()).isFalse();
        assertThat(fixed.lease(Duration.ofSeconds(6)).renewed()).isFalse();
        assertThat(fixed.lease(Duration.ofSeconds(6)).lease()).isEqualTo(Duration.ofSeconds(6));
        assertThat(fixed.renewedLease(Duration.ofSeconds(7)).renewed()).isTrue();
        assertThat(fixed.renewedLease(Duration.ofSeconds(7)).lease()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void equals_sameValues_equal() {
        LockOptions one = DEFAULTS.label("a").waitThroughOutages(Duration.ofSeconds(1));
        LockOptions same = DEFAULTS.waitThroughOutages(Duration.ofSeconds(1)).label("a");
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        for (LockOptions other : List.of(
                one.lease(Duration.ofSeconds(1)),
                one.fixedLease(one.lease()),
                one.maxHold(Duration.ofSeconds(1)),
                one.fairness(Fairness.FIFO),
                one.label("b"),
                one.waitThroughOutages(Duration.ZERO))) {
            assertThat(one).isNotEqualTo(other);
        }
        assertThat(one).isNotEqualTo("something else");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "P40000000000D"})
    void waitThroughOutages_outOfBounds_messageNamesOptionAndValue(Duration bad) {
        assertThatThrownBy(() -> DEFAULTS.waitThroughOutages(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("waitThroughOutages is " + DurationText.of(bad));
    }

    @Test
    void lease_bounds_included() {
        assertThat(DEFAULTS.lease(Duration.ofMillis(100)).lease()).isEqualTo(Duration.ofMillis(100));
        assertThat(DEFAULTS.lease(Duration.ofDays(1)).lease()).isEqualTo(Duration.ofDays(1));
        assertThat(DEFAULTS.fixedLease(Duration.ofMillis(100)).lease()).isEqualTo(Duration.ofMillis(100));
        assertThat(DEFAULTS.fixedLease(Duration.ofDays(1)).lease()).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.099999999S", "PT24H0.000000001S", "P40000000000D"})
    void lease_outOfBounds_messageNamesOptionValueAndBounds(Duration bad) {
        assertThatThrownBy(() -> DEFAULTS.lease(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease is " + DurationText.of(bad) + ", expected 100ms to 24h");
        assertThatThrownBy(() -> DEFAULTS.fixedLease(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("fixedLease is " + DurationText.of(bad) + ", expected 100ms to 24h");
    }

    @Test
    void maxHold_tooShort_messageNamesOptionValueAndBound() {
        assertThatThrownBy(() -> DEFAULTS.maxHold(Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxHold is 99ms")
                .hasMessageContaining("at least 100ms")
                .hasMessageContaining("leave it out");
        assertThat(DEFAULTS.maxHold(Duration.ofMillis(100)).maxHold()).contains(Duration.ofMillis(100));
    }

    @Test
    void maxHold_longerThanAnyClockCounts_refused() {
        Duration longest = Duration.ofNanos(Long.MAX_VALUE);

        assertThat(DEFAULTS.maxHold(longest).maxHold()).contains(longest);
        assertThatThrownBy(() -> DEFAULTS.maxHold(longest.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no clock can count");
    }

    @Test
    void label_bounds_included() {
        assertThat(DEFAULTS.label("x").label()).contains("x");
        assertThat(DEFAULTS.label("x".repeat(128)).label()).contains("x".repeat(128));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "line\nbreak", "tab\t", "\u007f", "\u0085"})
    void label_emptyOrControl_refused(String bad) {
        assertThatThrownBy(() -> DEFAULTS.label(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label has " + bad.length() + " characters")
                .hasMessageContaining("1 to 128")
                .hasMessageContaining("control");
    }

    @Test
    void label_tooLong_refused() {
        assertThatThrownBy(() -> DEFAULTS.label("x".repeat(129)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label has 129 characters");
    }

    @Test
    void everyMethod_null_refusedByName() {
        assertThatThrownBy(() -> DEFAULTS.lease(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("lease");
        assertThatThrownBy(() -> DEFAULTS.fixedLease(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("fixedLease");
        assertThatThrownBy(() -> DEFAULTS.maxHold(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("maxHold");
        assertThatThrownBy(() -> DEFAULTS.fairness(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("fairness");
        assertThatThrownBy(() -> DEFAULTS.label(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("label");
    }

    @Test
    void toString_saysEverything() {
        assertThat(DEFAULTS).hasToString("lease 30s, THROUGHPUT");
        assertThat(DEFAULTS.fixedLease(Duration.ofSeconds(5))
                        .maxHold(Duration.ofMinutes(1))
                        .fairness(Fairness.FIFO)
                        .label("worker 7"))
                .hasToString("fixed lease 5s, at most 1m, FIFO, label worker 7");
    }
}
