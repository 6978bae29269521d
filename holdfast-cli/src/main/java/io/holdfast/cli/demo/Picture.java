package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Mark;
import java.util.List;
import java.util.regex.Pattern;

/** The acts as one drawing, two beside each other, for pages that can show a picture and no more. */
final class Picture {
    private static final int MARGIN = 24;
    private static final int PANEL = 450;
    private static final int NAMES = 66;
    private static final int TITLE = 18;
    private static final int RESULT = 38;
    private static final int CHART = 50;
    private static final int LINE = 19;
    private static final Pattern LONG_NUMBER = Pattern.compile("\\d{6,}(\\d{6})");
    private static final int WIDTH = 3 * MARGIN + 2 * PANEL;

    /** What the page has from its own style sheet. */
    private static final String CSS = """
            svg { overflow: visible; }
            text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif; }
            .paper { fill: var(--paper); }
            .chart .title { fill: var(--ink); font-size: 15px; font-weight: 600; }
            .chart .event { fill: var(--ink); }
            .chart .yes { fill: var(--good); }
            .chart .wrong { fill: var(--crowd); }
            .chart .no { fill: var(--bad); }
            .chart .yes, .chart .wrong, .chart .no { font-size: 13px; font-weight: 600; }
            """;

    private final Words words;
    private final Markup svg = new Markup();

    private Picture(Words words) {
        this.words = words;
    }

    static String of(Words words, List<Outcome> outcomes) {
        return new Picture(words).write(outcomes);
    }

    private String write(List<Outcome> outcomes) {
        int height = MARGIN;
        for (int i = 0; i < outcomes.size(); i += 2) {
            height += row(outcomes, i) + MARGIN;
        }
        String box = "0 0 " + WIDTH + " " + height;
        svg.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", box, "width", WIDTH, "height", height);
        svg.element("title", words.say("page.title"));
        svg.open("style").raw(Page.css("chart.css")).raw(CSS).close("style").raw(Page.STRIPES);
        svg.element("rect", "", "class", "paper", "width", WIDTH, "height", height, "rx", 10);
        int y = MARGIN;
        for (int i = 0; i < outcomes.size(); i++) {
            panel(outcomes.get(i), i % 2 == 0 ? MARGIN : 2 * MARGIN + PANEL, y);
            y += i % 2 == 0 ? 0 : row(outcomes, i - 1) + MARGIN;
        }
        return svg.close("svg").toString();
    }

    private int row(List<Outcome> outcomes, int first) {
        int left = height(outcomes.get(first));
        return first + 1 < outcomes.size() ? Math.max(left, height(outcomes.get(first + 1))) : left;
    }

    private int height(Outcome outcome) {
        Timeline timeline = outcome.timeline();
        return timeline == null ? CHART : CHART + new Chart(timeline, words, svg).height() + below(timeline);
    }

    /** Either events or the curve: both would be more than can be taken in. */
    private static int below(Timeline timeline) {
        return timeline.marks().isEmpty()
                ? Curve.HEIGHT
                : LINE * timeline.marks().size();
    }

    private void panel(Outcome outcome, int x, int y) {
        svg.open("g", "class", "chart", "transform", "translate(" + x + " " + y + ")");
        String title =
                words.say("act", outcome.act().number()) + "  " + outcome.act().title();
        svg.element("text", title, "class", "title", "y", TITLE);
        svg.element("text", outcome.headline(), "class", Page.style(outcome), "y", RESULT);
        Timeline timeline = outcome.timeline();
        if (timeline != null) {
            lanes(timeline);
        }
        svg.close("g");
    }

    private void lanes(Timeline timeline) {
        Chart chart = new Chart(timeline, words, svg);
        for (int i = 0; i < timeline.lanes().size(); i++) {
            svg.element("text", timeline.lanes().get(i), "y", CHART + chart.baseline(i));
        }
        area(CHART, chart.height());
        chart.lanes();
        svg.close("svg");
        int below = CHART + chart.height();
        if (timeline.marks().isEmpty()) {
            Curve curve = new Curve(timeline, words, svg);
            svg.element("text", curve.stock(), "y", below + curve.stockHeight() + 4);
            area(below, Curve.HEIGHT);
            curve.line();
            svg.close("svg");
        } else {
            events(timeline.marks(), below);
        }
    }

    private void area(int y, int height) {
        svg.open("svg", "x", NAMES, "y", y, "width", PANEL - NAMES, "height", height);
    }

    private void events(List<Mark> marks, int y) {
        for (int i = 0; i < marks.size(); i++) {
            int line = y + LINE * (i + 1) - 4;
            svg.element("text", (i + 1) + "  " + marks.get(i).lane(), "y", line);
            svg.element("text", brief(marks.get(i).text()), "class", "event", "x", NAMES + 14, "y", line);
        }
    }

    /** The end of a long token tells it from the others. */
    private static String brief(String text) {
        return LONG_NUMBER.matcher(text).replaceAll("…$1");
    }
}
