package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Mark;
import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The lanes of a timeline as a drawing. Across, everything is a share of the width, so that the drawing fits every
 * window and its words keep their size; down, it is pixels.
 */
final class Chart {
    private static final int BAR = 20;
    private static final int BASELINE = 5;
    private static final int ROOM = 10;
    private static final int MARK_ROOM = 28;
    private static final int MARK_RADIUS = 9;
    private static final int AXIS = 24;
    private static final int TICKS = 5;
    private static final int MICROS_SCALE = 6;

    /** How many parts of ten thousand a mark takes on a narrow window. */
    private static final int MARK_WIDTH = 660;

    private static final int WHOLE = 10_000;

    /** What is closer than this part of the whole cannot be told apart. */
    private static final int FINEST = 1_500;

    private final Timeline timeline;
    private final Words words;
    private final Markup svg;
    private final long end;
    private final int pitch;

    Chart(Timeline timeline, Words words, Markup svg) {
        this.timeline = timeline;
        this.words = words;
        this.svg = svg;
        this.end = Math.max(1, timeline.endMicros());
        this.pitch = BAR + (timeline.marks().isEmpty() ? ROOM : MARK_ROOM);
    }

    /** In a page, with the names of the lanes beside it and the curve below. */
    void draw() {
        svg.open("div", "class", "chart").open("div", "class", "names");
        timeline.lanes().forEach(lane -> svg.element("div", lane, "style", "height:" + pitch + "px"));
        svg.close("div").open("svg", "role", "img", "aria-label", words.say("chart.label"), "height", height());
        lanes();
        svg.close("svg");
        new Curve(timeline, words, svg).draw();
        svg.close("div");
    }

    int height() {
        return pitch * timeline.lanes().size() + AXIS;
    }

    /** How far down the name of a lane stands. */
    int baseline(int lane) {
        return bar(lane) + BAR - BASELINE;
    }

    /** The drawing itself, inside of an element that says how wide it is. */
    void lanes() {
        axis(pitch * timeline.lanes().size());
        for (int i = 0; i < timeline.lanes().size(); i++) {
            svg.element("rect", "", "class", "lane", "y", bar(i), "width", "100%", "height", BAR, "rx", 3);
        }
        timeline.spans(end / FINEST).forEach(this::span);
        marks();
    }

    private int bar(int lane) {
        return lane * pitch + pitch - BAR;
    }

    private int bar(String lane) {
        return bar(timeline.lanes().indexOf(lane));
    }

    private void axis(int height) {
        long step = step(end);
        for (long at = 0; at <= end; at += step) {
            String x = Html.percent(at, end);
            svg.element("line", "", "class", "grid", "x1", x, "x2", x, "y1", 0, "y2", height + 4);
            String anchor = at == 0 ? "start" : at > end - step / 2 ? "end" : "middle";
            svg.element("text", tick(at), "x", x, "y", height + AXIS - 5, "text-anchor", anchor);
        }
    }

    /** 1, 2 or 5 and zeros, so that there are a few. */
    static long step(long end) {
        long step = 1;
        for (int i = 0; end / step > TICKS; i++) {
            step = step * (i % 3 == 1 ? 5 : 4) / 2;
        }
        return step;
    }

    /** A time with as few digits as are needed. */
    private static String tick(long micros) {
        return BigDecimal.valueOf(micros, MICROS_SCALE).stripTrailingZeros().toPlainString() + " s";
    }

    private void span(Span span) {
        String x = Html.percent(span.fromMicros(), end);
        String width = Html.percent(span.toMicros() - span.fromMicros(), end);
        String title = words.say(
                "shade.title",
                span.lane(),
                span.shade().in(words),
                Html.time(span.fromMicros()),
                Html.time(span.toMicros()));
        int y = bar(span.lane()) + 2;
        svg.open("rect", "class", style(span.shade()), "x", x, "width", width, "y", y, "height", BAR - 4);
        svg.element("title", title).close("rect");
    }

    static String style(Shade shade) {
        return "span " + shade.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String style(Mark mark) {
        return mark.sign().name().toLowerCase(Locale.ROOT);
    }

    /** A line at the moment, and a number beside it if there is no room above. */
    private void marks() {
        List<Mark> marks = timeline.marks();
        long[] places = places(marks);
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            int y = bar(mark.lane());
            String at = Html.percent(mark.atMicros(), end);
            String place = Html.percent(places[i], WHOLE);
            int middle = y - MARK_RADIUS - 5;
            svg.element("line", "", "class", "pin", "x1", at, "x2", at, "y1", y - 2, "y2", y + BAR);
            svg.element("line", "", "class", "pin", "x1", place, "x2", at, "y1", middle, "y2", y - 2);
            svg.open("svg", "class", "mark " + style(mark), "x", place, "y", middle);
            svg.element("circle", "", "r", MARK_RADIUS).element("text", String.valueOf(i + 1), "y", 4);
            svg.element("title", mark.text()).close("svg");
        }
    }

    private long[] places(List<Mark> marks) {
        long[] places = new long[marks.size()];
        Map<String, List<Integer>> byLane = new HashMap<>();
        for (int i = 0; i < marks.size(); i++) {
            places[i] = WHOLE * marks.get(i).atMicros() / end;
            byLane.computeIfAbsent(marks.get(i).lane(), none -> new ArrayList<>())
                    .add(i);
        }
        byLane.values().forEach(lane -> spread(places, lane));
        return places;
    }

    /** Apart from each other, to the right, and back again where that leads out of the drawing. */
    private static void spread(long[] places, List<Integer> lane) {
        long least = 0;
        for (int i : lane) {
            places[i] = Math.max(places[i], least);
            least = places[i] + MARK_WIDTH;
        }
        long most = WHOLE;
        for (int k = lane.size() - 1; k >= 0; k--) {
            int i = lane.get(k);
            places[i] = Math.min(places[i], most);
            most = places[i] - MARK_WIDTH;
        }
    }
}
