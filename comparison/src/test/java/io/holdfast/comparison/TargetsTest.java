package io.holdfast.comparison;

import static io.holdfast.comparison.Library.CURATOR;
import static io.holdfast.comparison.Library.HOLDFAST;
import static io.holdfast.comparison.Library.HOLDFAST_FIFO;
import static io.holdfast.comparison.Library.LIMIT;
import static io.holdfast.comparison.Library.REDISSON;
import static io.holdfast.comparison.Library.SPRING_PUBSUB;
import static io.holdfast.comparison.Library.SPRING_SPIN;
import static io.holdfast.comparison.Target.Verdict.MISSED;
import static io.holdfast.comparison.Target.Verdict.NOT_MEASURED;
import static io.holdfast.comparison.Target.Verdict.REACHED;
import static io.holdfast.comparison.Workload.HANDOVER;
import static io.holdfast.comparison.Workload.HELD_10000;
import static io.holdfast.comparison.Workload.ONE_KEY_16;
import static io.holdfast.comparison.Workload.ONE_KEY_256;
import static io.holdfast.comparison.Workload.ONE_KEY_4X4;
import static io.holdfast.comparison.Workload.REENTRY;
import static io.holdfast.comparison.Workload.UNCONTENDED_1;
import static io.holdfast.comparison.Workload.UNCONTENDED_16;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetsTest {

    @Test
    void of_noRows_measuresNothing() {
        assertThat(Targets.of(List.of())).hasSize(29).allSatisfy(target -> {
            assertThat(target.verdict()).isEqualTo(NOT_MEASURED);
            assertThat(target.measured()).isEqualTo("–");
        });
    }

    @Test
    void of_exactlyTheBound_isReached() {
        Target target = find(
                "cycles/s to limit", Rows.speed(UNCONTENDED_1, HOLDFAST, 850), Rows.speed(UNCONTENDED_1, LIMIT, 1_000));

        assertThat(target)
                .isEqualTo(new Target(
                        "uncontended-1", "holdfast: cycles/s to limit", "≥ 0.85 ×", "0.85 × (850 to 1,000)", REACHED));
    }

    @Test
    void of_zooKeeper_isComparedWithCurator() {
        List<Target> targets = Targets.of(List.of(
                Rows.speed(UNCONTENDED_1, Library.HOLDFAST_ZOOKEEPER, 140), Rows.speed(UNCONTENDED_1, CURATOR, 100)));

        assertThat(targets).hasSize(10);
        assertThat(targets.get(0))
                .isEqualTo(new Target(
                        "uncontended-1",
                        "holdfast-zookeeper: cycles/s to curator",
                        "≥ 1.4 ×",
                        "1.40 × (140 to 100)",
                        REACHED));
        assertThat(targets.stream().skip(1))
                .allSatisfy(target -> assertThat(target.verdict()).isEqualTo(NOT_MEASURED));
    }

    @Test
    void of_tooSlow_isMissed() {
        Target target = find(
                "cycles/s to redisson",
                Rows.speed(UNCONTENDED_1, HOLDFAST, 1_499),
                Rows.speed(UNCONTENDED_1, REDISSON, 1_000));

        assertThat(target.verdict()).isEqualTo(MISSED);
    }

    @Test
    void of_failedOther_isNotMeasured() {
        Target target = find(
                "cycles/s to redisson",
                Rows.speed(UNCONTENDED_1, HOLDFAST, 1_499),
                Row.failed(UNCONTENDED_1, REDISSON, "gone"));

        assertThat(target.verdict()).isEqualTo(NOT_MEASURED);
    }

    @Test
    void of_ownViolation_isMissedHoweverFast() {
        Target target = find(
                "cycles/s to redisson",
                Rows.violated(UNCONTENDED_1, HOLDFAST, 9_000, 1),
                Rows.speed(UNCONTENDED_1, REDISSON, 1_000));

        assertThat(target.verdict()).isEqualTo(MISSED);
        assertThat(target.measured()).endsWith("VIOLATIONS");
    }

    @Test
    void of_severalOthers_takesTheBestThatRan() {
        Target target = find(
                "the better of Spring's",
                Rows.speed(UNCONTENDED_16, HOLDFAST, 1_600),
                Rows.speed(UNCONTENDED_16, SPRING_PUBSUB, 500),
                Rows.speed(UNCONTENDED_16, SPRING_SPIN, 1_000),
                Rows.speed(UNCONTENDED_16, LIMIT, 9_000));

        assertThat(target.verdict()).isEqualTo(REACHED);
        assertThat(target.measured()).isEqualTo("1.60 × (1,600 to 1,000 of spring-spin)");
    }

    @Test
    void of_ownFifoAndLimit_areNoOthers() {
        Target target = find(
                "the best other",
                Rows.speed(ONE_KEY_16, HOLDFAST, 1_500),
                Rows.speed(ONE_KEY_16, HOLDFAST_FIFO, 1_400),
                Rows.speed(ONE_KEY_16, LIMIT, 9_000),
                Rows.speed(ONE_KEY_16, CURATOR, 100));

        assertThat(target.measured()).isEqualTo("15.0 × (1,500 to 100 of curator)");
    }

    @Test
    void of_fourJvms_leavesZooKeeperOut() {
        Target target = find(
                "the best other on Redis",
                Rows.speed(ONE_KEY_4X4, HOLDFAST, 5_000),
                Rows.speed(ONE_KEY_4X4, CURATOR, 4_000),
                Rows.speed(ONE_KEY_4X4, REDISSON, 100));

        assertThat(target.measured()).isEqualTo("50.0 × (5,000 to 100 of redisson)");
    }

    @Test
    void of_crowd_comparesCommandsAndFairness() {
        Row[] rows = {
            Rows.waiting(ONE_KEY_4X4, HOLDFAST_FIFO, 1_000, 500, 3.0),
            Rows.waiting(ONE_KEY_256, HOLDFAST_FIFO, 1_000, 700_000, 3.3)
        };

        assertThat(find("holdfast-fifo: commands/cycle", rows).measured()).isEqualTo("1.10 × (3.30 to 3.00)");
        assertThat(find("holdfast-fifo: commands/cycle", rows).verdict()).isEqualTo(MISSED);
        assertThat(find("holdfast-fifo: p99", rows).measured()).isEqualTo("2.73 × (700 ms to 256 ms)");
        assertThat(find("holdfast-fifo: p99", rows).verdict()).isEqualTo(REACHED);
        assertThat(find("holdfast: p99 to perfectly", rows).verdict()).isEqualTo(NOT_MEASURED);
    }

    @Test
    void of_tenThousand_waitForTwoFairTurnsAtMost() {
        Row[] rows = {Rows.waiting(Workload.ONE_KEY_10000, HOLDFAST_FIFO, 5_000, 4_000_000, 2.1)};

        assertThat(find("holdfast-fifo: p99", rows).measured()).isEqualTo("2.00 × (4.00 s to 2.00 s)");
        assertThat(find("holdfast-fifo: p99", rows).verdict()).isEqualTo(REACHED);
        assertThat(find("holdfast-fifo: commands/cycle", rows).verdict()).isEqualTo(MISSED);
    }

    @Test
    void of_readersAndWriters_compareRateWaitAndCommands() {
        Row[] rows = {
            Rows.waiting(Workload.READ_WRITE_4X4, HOLDFAST, 2_000, 11, 0.1),
            Rows.waiting(Workload.READ_WRITE_4X4, REDISSON, 100, 100, 3)
        };

        assertThat(find("cycles/s to redisson", rows).verdict()).isEqualTo(REACHED);
        assertThat(find("p99 to redisson", rows).verdict()).isEqualTo(MISSED);
        assertThat(find("holdfast: commands/cycle", rows).verdict()).isEqualTo(REACHED);
    }

    @Test
    void of_costs_compareWithRedisson() {
        Row[] rows = {
            Rows.waiting(HANDOVER, HOLDFAST, 10, 300, 2),
            Rows.waiting(HANDOVER, REDISSON, 10, 1_000, 2),
            Rows.cost(HELD_10000, HOLDFAST, 1, 101),
            Rows.cost(HELD_10000, REDISSON, 1, 100),
            Rows.cost(UNCONTENDED_1, HOLDFAST, 40, 1),
            Rows.cost(UNCONTENDED_1, REDISSON, 100, 1)
        };

        assertThat(find("holdfast: p99 to redisson", rows).measured()).isEqualTo("0.30 × (300 µs to 1.00 ms)");
        assertThat(find("holdfast: p99 to redisson", rows).verdict()).isEqualTo(REACHED);
        assertThat(find("server CPU", rows).verdict()).isEqualTo(MISSED);
        assertThat(find("client CPU", rows).verdict()).isEqualTo(REACHED);
    }

    @Test
    void of_reentry_sendsNoCommands() {
        String what = "holdfast: commands/cycle";
        assertThat(reentry(0).verdict()).isEqualTo(REACHED);
        assertThat(reentry(0.0004).measured()).isEqualTo("0.00040");
        assertThat(reentry(0.0004).verdict()).isEqualTo(REACHED);
        assertThat(reentry(2).verdict()).isEqualTo(MISSED);
        assertThat(reentry(2).what()).isEqualTo(what);
        assertThat(reentry(2).wanted()).isEqualTo("below 0.001");
    }

    private static Target reentry(double commands) {
        return Targets.of(List.of(Rows.waiting(REENTRY, HOLDFAST, 1_000, 1, commands))).stream()
                .filter(target -> target.workload().equals("reentry"))
                .findFirst()
                .orElseThrow();
    }

    /** The first with these words, of a workload that the rows are about. */
    private static Target find(String words, Row... rows) {
        return Targets.of(List.of(rows)).stream()
                .filter(target -> target.what().contains(words))
                .filter(target ->
                        Arrays.stream(rows).anyMatch(row -> row.workload().equals(target.workload())))
                .findFirst()
                .orElseThrow();
    }
}
