package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Safety;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void parse_everything_isUnderstood() {
        Options options = Options.parse(
                "--minutes", "0.5", "--seed", "7", "--mode", "all", "--safety", "strict", "--faults", "17,kill-empty");
        assertThat(options.time()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.seed()).isEqualTo(7);
        assertThat(options.modes()).containsExactly(Mode.values());
        assertThat(options.safeties()).containsExactly(Safety.STRICT);
        assertThat(options.faults()).containsExactly(Fault.CLOCK_FORWARD, Fault.CLOCK_LEAP, Fault.KILL_EMPTY);
    }

    @Test
    void parse_quorum_isUnderstood() {
        Options options = Options.parse("--mode", "quorum", "--nodes", "5", "--sabotage", "no-guard", "--faults", "11");
        assertThat(options.modes()).containsExactly(Mode.QUORUM);
        assertThat(options.nodes()).isEqualTo(5);
        assertThat(options.sabotage()).isEqualTo(Sabotage.NO_GUARD);
        assertThat(options.faults()).containsExactly(Fault.CUT_OFF_MINORITY, Fault.CUT_OFF_MAJORITY, Fault.BRIDGE);
    }

    @Test
    void parse_rowOne_isNotRowTen() {
        assertThat(Options.parse("--faults", "1").faults()).containsExactly(Fault.KILL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--minute 3",
                "--minutes 0",
                "--minutes soon",
                "--minutes",
                "--seed x",
                "--mode ring",
                "--faults 99",
                "--redis 5",
                "--workers 0",
                "--redis 6.2 --safety strict",
                "--redis 6.2 --mode quorum",
                "--nodes 4",
                "--sabotage luck",
                "--sabotage no-guard --mode single"
            })
    void parse_nonsense_isRefused(String line) {
        assertThatThrownBy(() -> Options.parse(line.split(" ", -1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void usage_namesEveryOption() {
        assertThat(Options.USAGE)
                .contains("--minutes", "--seed", "--mode", "--safety", "--redis", "--faults", "--workers", "--report")
                .contains("--nodes", "--control", "--sabotage", "--list", "--help");
    }

    @Test
    void modes_withCommas_takeTurns() {
        assertThat(Options.parse("--mode", "single,sentinel,cluster").modes())
                .containsExactly(Mode.SINGLE, Mode.SENTINEL, Mode.CLUSTER);
        assertThat(Options.parse("--mode", "all").modes()).containsExactly(Mode.values());
    }
}
