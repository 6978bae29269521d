package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Mark;
import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The demo as a page that needs nothing but itself. It is well-formed XML, too. */
final class Page {
    private static final String PATTERNS = """
            <svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
            <pattern id="lease-left" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="stripe-lease" x1="0" y1="0" x2="0" y2="6" stroke-width="5"></line></pattern>
            <pattern id="stopped" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
            <line class="stripe-stopped" x1="0" y1="0" x2="0" y2="6" stroke-width="3"></line></pattern>
            </defs></svg>
            """;

    private final Scale scale;
    private final Markup html = new Markup();

    private Page(Scale scale) {
        this.scale = scale;
    }

    static String of(Scale scale, List<Outcome> outcomes) {
        return new Page(scale).write(outcomes);
    }

    private String write(List<Outcome> outcomes) {
        html.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").raw("<meta charset=\"utf-8\"/>\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        html.element("title", "Holdfast: a flash sale in four acts");
        html.open("style").raw(css()).close("style").close("head").open("body");
        html.raw(PATTERNS).open("main").element("h1", "A flash sale in four acts");
        html.element(
                "p",
                scale.vouchers() + " vouchers, one per user, sold by " + scale.workers()
                        + " processes. Every bar and every mark is from one real run, with a Redis for the locks and a database for the shop.",
                "class",
                "soft");
        summary(outcomes);
        outcomes.forEach(this::act);
        html.open("footer").raw("Written by <code>holdfast demo --html</code>.").close("footer");
        return html.close("main").close("body").close("html").toString();
    }

    private static String css() {
        try (InputStream css = Objects.requireNonNull(Page.class.getResourceAsStream("page.css"), "page.css")) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void summary(List<Outcome> outcomes) {
        html.open("div", "class", "summary").open("table").open("thead").open("tr");
        List.of("act", "what", "result", "as expected").forEach(heading -> html.element("th", heading));
        html.close("tr").close("thead").open("tbody");
        for (Outcome outcome : outcomes) {
            html.open("tr").element("td", String.valueOf(outcome.act().number()));
            html.element("td", outcome.act().title()).element("td", outcome.headline());
            boolean yes = outcome.asExpected();
            html.element("td", yes ? "✓ yes" : "✗ no", "class", yes ? "yes" : "no");
            html.close("tr");
        }
        html.close("tbody").close("table").close("div");
    }

    private void act(Outcome outcome) {
        Act act = outcome.act();
        html.open("section", "id", "act-" + act.number()).open("h2");
        html.element("span", "Act " + act.number(), "class", "number").element("span", act.title());
        html.close("h2").element("p", act.plot(scale), "class", "soft");
        Timeline timeline = outcome.timeline();
        if (timeline != null) {
            new Chart(timeline, html).draw();
            legend(timeline);
            events(timeline.marks());
        }
        html.element("p", outcome.result(), "class", outcome.asExpected() ? "result" : "result no");
        if (outcome.asExpected()) {
            html.element("p", act.lesson());
        }
        html.close("section");
    }

    private void legend(Timeline timeline) {
        Set<Shade> used = EnumSet.noneOf(Shade.class);
        timeline.spans(0).stream().map(Span::shade).forEach(used::add);
        html.open("ul", "class", "legend");
        for (Shade shade : used) {
            html.open("li").open("svg", "aria-hidden", "true");
            html.element("rect", "", "class", Chart.style(shade), "x", 1, "y", 1, "width", 20, "height", 10);
            html.close("svg").element("span", shade.words()).close("li");
        }
        html.close("ul");
    }

    private void events(List<Mark> marks) {
        if (marks.isEmpty()) {
            return;
        }
        html.open("ol", "class", "events");
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            html.open("li").element("span", String.valueOf(i + 1), "class", "chip");
            html.element("span", Html.time(mark.atMicros()), "class", "time");
            html.element("span", mark.lane(), "class", "who");
            html.element("span", mark.text(), "class", "what " + Chart.style(mark));
            html.close("li");
        }
        html.close("ol");
    }
}
