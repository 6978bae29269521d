package io.holdfast.comparison;

import static io.holdfast.comparison.Library.CURATOR;
import static io.holdfast.comparison.Library.HOLDFAST;
import static io.holdfast.comparison.Library.HOLDFAST_FIFO;
import static io.holdfast.comparison.Library.REDISSON;
import static io.holdfast.comparison.Library.SHEDLOCK;
import static io.holdfast.comparison.Library.SPRING_SPIN;
import static io.holdfast.comparison.Workload.HANDOVER;
import static io.holdfast.comparison.Workload.HELD_10000;
import static io.holdfast.comparison.Workload.ONE_KEY_16;
import static io.holdfast.comparison.Workload.RECOVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ChartsTest {

    @TempDir
    Path directory;

    @Test
    void write_twoWorkloads_makesAFileForEachAndOneForAll() throws Exception {
        Charts.write(
                List.of(Rows.speed(ONE_KEY_16, HOLDFAST, 100), Rows.waiting(HANDOVER, HOLDFAST, 1, 200, 2)),
                directory.resolve("new"));

        assertThat(directory.resolve("new"))
                .isDirectoryContaining("glob:**/one-key-16.svg")
                .isDirectoryContaining("glob:**/handover.svg")
                .isDirectoryContaining("glob:**/overview.svg");
    }

    @Test
    void chart_severalLibraries_hasOneBarEachBestFirst() throws Exception {
        Document chart = chart(
                Rows.speed(ONE_KEY_16, REDISSON, 400),
                Rows.speed(ONE_KEY_16, HOLDFAST, 1_000),
                Rows.speed(ONE_KEY_16, HOLDFAST_FIFO, 500));

        assertThat(bars(chart))
                .extracting(bar -> bar.getAttribute("class"))
                .containsExactly("bar holdfast", "bar holdfast", "bar other");
        assertThat(bars(chart)).extracting(bar -> bar.getAttribute("width")).containsExactly("400.0", "200.0", "160.0");
        assertThat(chart.getDocumentElement().getAttribute("width")).isEqualTo("760");
        assertThat(texts(chart)).contains("1,000", "500", "400").noneMatch(text -> text.contains("logarithmic"));
    }

    @Test
    void chart_wideRange_saysThatItIsLogarithmic() throws Exception {
        Document chart = chart(Rows.speed(ONE_KEY_16, REDISSON, 40), Rows.speed(ONE_KEY_16, HOLDFAST, 40_000));

        assertThat(texts(chart)).contains("cycles per second, more is better (logarithmic scale)");
        assertThat(bars(chart)).hasSize(2);
    }

    @Test
    void chart_failedAndViolated_areShown() throws Exception {
        Document chart = chart(
                Row.failed(ONE_KEY_16, CURATOR, "a < b & \u0000 \"c\""),
                Rows.violated(ONE_KEY_16, SHEDLOCK, 50, 3),
                Rows.speed(ONE_KEY_16, HOLDFAST, 100));

        assertThat(bars(chart)).hasSize(2);
        assertThat(texts(chart)).contains("curator", "failed", "50.0, VIOLATIONS: 3");
    }

    @Test
    void chart_onlyFailures_isStillAPicture() throws Exception {
        assertThat(texts(chart(Row.failed(ONE_KEY_16, CURATOR, "gone")))).contains("failed");
    }

    @Test
    void chart_measure_dependsOnTheWorkload() throws Exception {
        assertThat(texts(chart(Rows.waiting(HANDOVER, HOLDFAST, 7, 321, 2)))).contains("321 µs");
        assertThat(texts(chart(Rows.waiting(RECOVERY, HOLDFAST, 7, 321, 2)))).contains("450 µs");
        assertThat(texts(chart(Rows.cost(HELD_10000, HOLDFAST, 7, 0.5)))).contains("500 ns");
    }

    @Test
    void overview_others_haveACellEach() throws Exception {
        Charts.write(
                List.of(
                        Rows.speed(ONE_KEY_16, HOLDFAST, 1_000),
                        Rows.speed(ONE_KEY_16, HOLDFAST_FIFO, 2_000),
                        Rows.speed(ONE_KEY_16, REDISSON, 8),
                        Rows.speed(ONE_KEY_16, SPRING_SPIN, 0.1),
                        Rows.violated(ONE_KEY_16, SHEDLOCK, 9_000, 1),
                        Row.failed(ONE_KEY_16, CURATOR, "gone")),
                directory);

        assertThat(texts(parsed("overview.svg"))).contains("0.50×", "125×", "10k×", "violated", "failed", "one-key-16");
    }

    @Test
    void escaped_anything_isXml() {
        assertThat(Svg.escaped("a<b>&\"\u0007c")).isEqualTo("a&lt;b&gt;&amp;&quot; c");
    }

    @Test
    void scale_linear_hasRoundTicksFromZero() {
        Scale scale = Scale.of(DoubleStream.of(4_700, 900));

        assertThat(scale.ticks()).containsExactly(0.0, 1_000.0, 2_000.0, 3_000.0, 4_000.0);
        assertThat(scale.share(2_350)).isCloseTo(0.5, within(0.001));
    }

    @Test
    void scale_logarithmic_hasDecades() {
        Scale scale = Scale.of(DoubleStream.of(10, 30_000, Double.NaN, 0));

        assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0);
        assertThat(scale.share(10)).isPositive();
        assertThat(scale.share(0)).isZero();
        assertThat(scale.share(30_000)).isEqualTo(1);
    }

    private Document chart(Row... rows) throws Exception {
        Charts.write(List.of(rows), directory);
        return parsed(rows[0].workload() + ".svg");
    }

    private Document parsed(String file) throws Exception {
        try (var in = Files.newInputStream(directory.resolve(file))) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
    }

    private static List<Element> bars(Document chart) {
        return elements(chart, "rect").stream()
                .filter(each -> each.getAttribute("class").startsWith("bar "))
                .toList();
    }

    private static List<String> texts(Document chart) {
        return elements(chart, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> elements(Document chart, String name) {
        var nodes = chart.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
