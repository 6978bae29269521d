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
    /** The stripes of spans, for whatever is drawn beside them. */
    static final String STRIPES = """
            <defs>
            <pattern id="lease-left" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line class="stripe-lease" x1="0" y1="0" x2="0" y2="6" stroke-width="5"></line></pattern>
            <pattern id="stopped" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
            <line class="stripe-stopped" x1="0" y1="0" x2="0" y2="6" stroke-width="3"></line></pattern>
            </defs>
            """;

    /** Where the project is. Not asked for anything: the page works without it. */
    static final String PROJECT = "https://holdfast.example";

    private final Words words;
    private final Scale scale;
    private final Markup html = new Markup();

    private Page(Words words, Scale scale) {
        this.words = words;
        this.scale = scale;
    }

    static String of(Words words, Scale scale, List<Outcome> outcomes) {
        return new Page(words, scale).write(outcomes);
    }

    private String write(List<Outcome> outcomes) {
        html.raw("<!DOCTYPE html>\n")
                .open("html", "lang", words.language())
                .open("head")
                .raw("<meta charset=\"utf-8\"/>\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        html.element("title", "Holdfast: " + words.say("page.title"));
        html.open("style")
                .raw(css("chart.css"))
                .raw(css("page.css"))
                .close("style")
                .close("head")
                .open("body");
        html.open("svg", "width", 0, "height", 0, "style", "position:absolute", "aria-hidden", "true");
        html.raw(STRIPES).close("svg").open("main").element("h1", words.say("page.title"));
        html.element("p", words.say("page.intro", scale.vouchers(), scale.workers()), "class", "soft");
        summary(outcomes);
        outcomes.forEach(this::act);
        footer();
        return html.close("main").close("body").close("html").toString();
    }

    private void footer() {
        html.open("footer")
                .open("p")
                .element("a", words.say("page.project"), "href", PROJECT)
                .close("p");
        html.open("p").raw(Html.escape(words.say("page.by")) + " <code>holdfast demo --html</code>");
        html.close("p").close("footer");
    }

    static String css(String file) {
        try (InputStream css = Objects.requireNonNull(Page.class.getResourceAsStream(file), file)) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void summary(List<Outcome> outcomes) {
        html.open("div", "class", "summary").open("table").open("thead").open("tr");
        List.of("act", "what", "result", "verdict")
                .forEach(heading -> html.element("th", words.say("heading." + heading)));
        html.close("tr").close("thead").open("tbody");
        for (Outcome outcome : outcomes) {
            html.open("tr").element("td", String.valueOf(outcome.act().number()));
            html.element("td", outcome.act().title()).element("td", outcome.headline());
            String sign = outcome.isRight() ? "✓ " : "✗ ";
            html.element("td", sign + outcome.verdict(words), "class", style(outcome));
            html.close("tr");
        }
        html.close("tbody").close("table").close("div");
    }

    /** What goes wrong is not green, even where it should go wrong. */
    static String style(Outcome outcome) {
        return outcome.isRight() ? "yes" : outcome.asExpected() ? "wrong" : "no";
    }

    private void act(Outcome outcome) {
        Act act = outcome.act();
        html.open("section", "id", "act-" + act.number()).open("h2");
        html.element("span", words.say("act", act.number()), "class", "number").element("span", act.title());
        html.close("h2").element("p", act.plot(scale), "class", "soft");
        Timeline timeline = outcome.timeline();
        if (timeline != null) {
            new Chart(timeline, words, html).draw();
            legend(timeline);
            events(timeline.marks());
        }
        html.element("p", outcome.result(), "class", outcome.isRight() ? "result" : "result " + style(outcome));
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
            html.close("svg").element("span", shade.in(words)).close("li");
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
