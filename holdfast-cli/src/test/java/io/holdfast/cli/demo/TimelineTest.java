package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.demo.Timeline.Mark;
import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import io.holdfast.cli.demo.Timeline.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline(List.of("a", "b"), 1_000);

    @Test
    void spans_closeTogether_becomeOne() {
        timeline.span("a", Shade.HELD, 1_300, 1_400);
        timeline.span("a", Shade.HELD, 1_100, 1_290);
        timeline.span("a", Shade.HELD, 1_500, 1_600);
        timeline.span("b", Shade.HELD, 1_291, 1_299);

        assertThat(timeline.spans(10))
                .containsExactly(
                        new Span("a", Shade.HELD, 100, 400),
                        new Span("b", Shade.HELD, 291, 299),
                        new Span("a", Shade.HELD, 500, 600));
    }

    @Test
    void spans_ofTwoKinds_stayTwo() {
        timeline.span("a", Shade.HELD, 1_100, 1_200);
        timeline.span("a", Shade.LEASE_LEFT, 1_200, 1_300);

        assertThat(timeline.spans(10)).extracting(Span::shade).containsExactly(Shade.HELD, Shade.LEASE_LEFT);
    }

    @Test
    void span_ofNoLength_isNone() {
        timeline.span("a", Shade.STOPPED, 1_200, 1_200);

        assertThat(timeline.spans(0)).isEmpty();
    }

    @Test
    void marks_heardLate_areInOrder() {
        timeline.mark("a", Sign.WAKE, 1_900, "later");
        timeline.mark("b", Sign.GRANT, 1_500, "earlier");

        assertThat(timeline.marks()).extracting(Mark::text).containsExactly("earlier", "later");
        assertThat(timeline.endMicros()).isEqualTo(900);
    }

    @Test
    void beginAt_nothingDrawnYet_movesTheBeginning() {
        timeline.beginAt(2_000);
        timeline.sale(2_500);
        timeline.beginAt(2_400);
        timeline.sale(2_100);

        assertThat(timeline.sales()).containsExactly(100L, 500L);
    }

    @Test
    void step_anyLength_isRoundAndGivesAFew() {
        assertThat(Chart.step(2_900_000)).isEqualTo(500_000);
        assertThat(Chart.step(3_100_000)).isEqualTo(1_000_000);
        assertThat(Chart.step(9)).isEqualTo(2);
        assertThat(Chart.step(1)).isEqualTo(1);
    }
}
