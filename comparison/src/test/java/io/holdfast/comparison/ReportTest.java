package io.holdfast.comparison;

import static io.holdfast.comparison.Library.CURATOR;
import static io.holdfast.comparison.Library.HOLDFAST;
import static io.holdfast.comparison.Library.REDISSON;
import static io.holdfast.comparison.Library.SHEDLOCK;
import static io.holdfast.comparison.Workload.HANDOVER;
import static io.holdfast.comparison.Workload.ONE_KEY_16;
import static io.holdfast.comparison.Workload.REENTRY;
import static io.holdfast.comparison.Workload.UNCONTENDED_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {

    private static final String NASTY = "said \"no\" \\ <b>|</b>\n\tand\u0001 left";

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; 0",
                "1234.4; 1,234",
                "99.97; 100",
                "12.34; 12.3",
                "0.449; 0.45",
                "0.0512; 0.051",
                "0.00123; 0.0012",
                "NaN; –"
            })
    void count_anySize_showsAboutThreeDigits(double value, String text) {
        assertThat(Numbers.count(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"0.045; 45.0 ns", "0; 0 µs", "7.5; 7.50 µs", "812; 812 µs", "12345; 12.3 ms", "2500000; 2.50 s"})
    void time_anySize_namesItsUnit(double micros, String text) {
        assertThat(Numbers.time(micros)).isEqualTo(text);
    }

    @Test
    void text_twoLibraries_alignsColumnsUnderTitle() {
        List<String> lines = TextTable.of(List.of(
                        Rows.speed(UNCONTENDED_1, HOLDFAST, 12_345), Rows.speed(UNCONTENDED_1, REDISSON, 5_000)))
                .lines()
                .toList();

        assertThat(lines.get(0)).isEqualTo("uncontended-1: one thread, a lock of its own");
        assertThat(lines.get(1)).startsWith("  library ").endsWith("× cycles/s");
        assertThat(lines.get(2))
                .contains("12,345", "450 µs", "900 µs", "12.3 ms", "2.50 s")
                .endsWith(" 1.00");
        assertThat(lines.get(3)).contains(" 5,000").endsWith(" 2.47");
        assertThat(lines.subList(1, 4))
                .extracting(String::length)
                .containsOnly(lines.get(1).length());
    }

    @Test
    void text_violationsAndFailure_standInTheRow() {
        String text = TextTable.of(List.of(
                Rows.speed(ONE_KEY_16, HOLDFAST, 100),
                Rows.violated(ONE_KEY_16, SHEDLOCK, 50, 3),
                Row.failed(ONE_KEY_16, CURATOR, "no\nanswer")));

        assertThat(text).containsPattern("shedlock .* 2\\.00  VIOLATIONS: 3\n");
        assertThat(text).containsPattern("curator +failed: no answer\n");
    }

    @Test
    void text_withoutHoldfast_hasNoRatio() {
        assertThat(TextTable.of(List.of(Rows.speed(ONE_KEY_16, REDISSON, 100)))).containsPattern("redisson .* –\n");
    }

    @Test
    void text_reentry_showsNanoseconds() {
        String text = TextTable.of(List.of(Rows.withoutCommands(REENTRY, HOLDFAST, 20_000_000)));

        assertThat(text).contains("20,000,000", "45.0 ns", "123 ns", "1.50 µs", " 0.051 ", " 0.25 ");
    }

    @Test
    void text_handover_comparesThePercentile() {
        String text = TextTable.of(
                List.of(Rows.waiting(HANDOVER, HOLDFAST, 10, 200, 2), Rows.waiting(HANDOVER, REDISSON, 10, 1_000, 2)));

        assertThat(text).contains("× p99").containsPattern("redisson .* 5\\.00\n");
    }

    @Test
    void text_targets_onlyOfWhatRan() {
        String text = TextTable.of(List.of(Rows.speed(REENTRY, HOLDFAST, 10)));

        assertThat(text).contains("not measured").doesNotContain("one-key-256");
    }

    @Test
    void json_fullRow_isExact() {
        assertThat(JsonReport.of(List.of(Rows.speed(UNCONTENDED_1, HOLDFAST, 12_345.6789))))
                .isEqualTo("""
                        [
                          {"workload": "uncontended-1", "library": "holdfast", "version": "1.2.3", "rounds": 3, \
                        "cycles": 90000, "cyclesPerSecond": 12345.7, "p50Micros": 450, "p99Micros": 900, \
                        "p999Micros": 12345, "worstMicros": 2500000, "clientCpuMicrosPerCycle": 20, \
                        "serverMicrosPerCycle": 12.3, "commandsPerCycle": 2, "allocatedBytesPerCycle": 1234, \
                        "violations": 0, "failure": null}
                        ]
                        """);
    }

    @Test
    void json_keys_areThePartsOfTheRecord() {
        List<String> parts = Arrays.stream(Row.class.getRecordComponents())
                .map(part -> part.getName())
                .toList();
        String json = JsonReport.of(List.of(Rows.withoutCommands(REENTRY, HOLDFAST, Double.NaN)));

        assertThat(Pattern.compile("\"(\\w+)\": ").matcher(json).results().map((MatchResult key) -> key.group(1)))
                .containsExactlyElementsOf(parts);
        assertThat(json)
                .contains("\"cyclesPerSecond\": null", "\"serverMicrosPerCycle\": null", "\"p50Micros\": 0.045");
    }

    @Test
    void json_nastyText_isEscaped() {
        assertThat(JsonReport.of(List.of(Row.failed(REENTRY, REDISSON, NASTY))))
                .contains("\"failure\": \"said \\\"no\\\" \\\\ <b>|</b>\\n\\tand\\u0001 left\"}");
    }

    @Test
    void json_severalRows_areOneLineEach() {
        assertThat(JsonReport.of(List.of())).isEqualTo("[]\n");
        assertThat(JsonReport.of(List.of(Rows.speed(REENTRY, HOLDFAST, 1), Rows.speed(REENTRY, REDISSON, 1))))
                .hasLineCount(4)
                .contains("null},\n  {");
    }

    @Test
    void markdown_everyTable_hasAsManyCellsInEachLine() {
        String text = MarkdownReport.of(List.of(
                Rows.speed(ONE_KEY_16, HOLDFAST, 100),
                Rows.violated(ONE_KEY_16, SHEDLOCK, 50, 3),
                Row.failed(ONE_KEY_16, CURATOR, NASTY)));
        List<String> table = text.substring(text.indexOf("### one-key-16"))
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();

        assertThat(table)
                .hasSize(5)
                .allSatisfy(line -> assertThat(line.replace("\\|", "")).matches("(\\|[^|]+){11}\\|"));
        assertThat(text).contains("| shedlock **VIOLATIONS: 3** |", "| curator **failed: said", "\\<b\\>\\|");
        assertThat(text)
                .contains("| holdfast | 1.2.3 | RedisLocks", "### Targets", "16 threads of one JVM on one lock");
        assertThat(text).contains("| one-key-256 | holdfast: ").contains("| not measured |");
    }
}
