package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
class ScaleBenchIT {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) throws InterruptedException {
        return ScaleBench.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void run_fewIdleClients_countsWhatEachHas() throws Exception {
        assertThat(run("--held", "0", "--clients", "5", "--names", "0")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("| connections of an idle client | 5 | ", "| its threads | 5 | ", "| its heap, KB | 5 | ")
                .doesNotContain("held lease", "used once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "", "99999999", "1.5"})
    void parse_noNumber_saysWhatIsExpected(String number) {
        assertThatThrownBy(() -> ScaleBench.Sizes.parse("--held", number))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--held is '" + number + "', expected a number from 0 to 10000000");
    }

    @Test
    void run_unknownOption_aSentenceAndStatusTwo() throws Exception {
        assertThat(run("--leases", "5")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown option '--leases'");
    }
}
