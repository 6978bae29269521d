package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.01S, 10ms",
        "PT0.1S, 100ms",
        "PT0.000999999S, 0.999999ms",
        "PT0.0005S, 0.5ms",
        "PT1S, 1s",
        "PT1.97S, 1.97s",
        "PT10S, 10s",
        "PT30.005S, 30.005s",
        "PT1M, 1m",
        "PT10M, 10m",
        "PT1M1S, 1m 1s",
        "PT1M0.001S, 1m 0.001s",
        "PT1H30M, 1h 30m",
        "PT24H, 24h",
        "PT24H0.000000001S, 24h 0.000000001s",
        "PT-1S, -1s",
        "PT-0.5S, -500ms",
        "P40000000000D, 960000000000h",
        "PT2562047788015215H30M7.999999999S, 2562047788015215h 30m 7.999999999s",
        "PT-2562047788015215H-30M-8S, PT-2562047788015215H-30M-8S"
    })
    void of_isWhatAPersonWrites(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"PT1.970123456S, 1.97s", "PT0.0123S, 12ms", "PT0.0000001S, 0s", "PT2M0.0004S, 2m"})
    void rounded_leavesOutWhatNobodyMeasured(Duration duration, String text) {
        assertThat(DurationText.rounded(duration)).isEqualTo(text);
    }
}
