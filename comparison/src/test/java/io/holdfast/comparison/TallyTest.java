package io.holdfast.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final Tally tally = new Tally(Workload.ONE_KEY_16, Library.LIMIT);

    @Test
    void row_threeRounds_mediansAndTheWorstOfAll() {
        add(100, 10_000, 1_000);
        add(300, 90_000, 9_000);
        add(200, 20_000, 2_000);
        tally.commandsPerCycle(2.0);

        Row row = tally.row();

        assertThat(row.rounds()).isEqualTo(3);
        assertThat(row.cycles()).isEqualTo(600);
        assertThat(row.cyclesPerSecond()).isEqualTo(100);
        assertThat(row.p50Micros()).isCloseTo(20, Percentage.withPercentage(1));
        assertThat(row.worstMicros()).isCloseTo(90, Percentage.withPercentage(1));
        assertThat(row.clientCpuMicrosPerCycle()).isEqualTo(0.01);
        assertThat(row.serverMicrosPerCycle()).isEqualTo(30);
        assertThat(row.commandsPerCycle()).isEqualTo(2);
        assertThat(row.failure()).isNull();
    }

    @Test
    void row_afterFailure_tellsTheFirstReasonAndKeepsViolations() {
        add(100, 10_000, 1_000);
        tally.violations(3);
        tally.fail("it broke");
        tally.fail("and again");

        assertThat(tally.row().failure()).isEqualTo("it broke");
        assertThat(tally.row().violations()).isEqualTo(3);
    }

    @Test
    void row_nothingMeasured_saysSo() {
        assertThat(tally.row().failure()).isEqualTo("nothing was measured");
    }

    @Test
    void status_violationByAnybodyOrFailureOfHoldfast_failsTheRun() {
        Row good = Rows.speed(Workload.ONE_KEY_16, Library.HOLDFAST, 100);

        assertThat(Bench.status(List.of(good))).isZero();
        assertThat(Bench.status(List.of(good, Row.failed(Workload.ONE_KEY_16, Library.CURATOR, "it broke"))))
                .as("a peer that failed")
                .isZero();
        assertThat(Bench.status(List.of(good, Rows.violated(Workload.ONE_KEY_16, Library.CURATOR, 50, 1))))
                .isEqualTo(1);
        assertThat(Bench.status(List.of(Row.failed(Workload.ONE_KEY_16, Library.HOLDFAST_FIFO, "it broke"))))
                .isEqualTo(1);
    }

    private void add(int cycles, long waitNanos, long cpuNanos) {
        Histogram waits = Measured.newHistogram();
        Measured.record(waits, waitNanos);
        tally.add(new Measured(cycles, cycles, 0, 0, new Usage(cpuNanos, 0), waits), 2, cycles, 30L * cycles);
    }
}
