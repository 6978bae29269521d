package io.holdfast.cli.demo;

import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.cli.process.Ending;
import io.holdfast.cli.screen.Columns;
import io.holdfast.cli.screen.LiveLines;
import io.holdfast.cli.screen.Screen;
import io.holdfast.cli.screen.Screen.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What can be seen while the acts are played: on a terminal a few lines that move, elsewhere a line when an act begins
 * and some when it is over.
 */
final class View implements AutoCloseable {
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final int BAR = 30;
    private static final int WIDEST = 100;
    private static final String INDENT = "       ";
    private static final String NOT_FIRST = "，。、；：！？）”";
    private static final String NOT_LAST = "（“";

    private final Screen screen;
    private final Words words;
    private final LiveLines live;
    private final int width;
    private long drawnNanos;

    View(Screen screen, Words words) {
        this.screen = screen;
        this.words = words;
        this.live = screen.live();
        this.width = Math.min(screen.width(), WIDEST) - INDENT.length() - 1;
    }

    void say(String line) {
        live.print(line);
    }

    void begin(Act act, Scale scale) {
        live.print("");
        live.print(screen.styled(Style.BOLD, words.say("act", act.number()) + "  " + act.title()));
        print(act.plot(scale), Style.DIM);
    }

    void end(Outcome outcome) {
        live.show(List.of());
        print(outcome.result(), style(outcome));
        if (outcome.asExpected()) {
            wrapped(outcome.act().lesson(), width).forEach(line -> live.print(INDENT + line));
        }
    }

    /** What goes wrong is not green, even where it should go wrong. */
    static Style style(Outcome outcome) {
        return outcome.isRight() ? Style.GREEN : outcome.asExpected() ? Style.YELLOW : Style.RED;
    }

    private void print(String text, Style style) {
        text.lines()
                .flatMap(line -> wrapped(line, width).stream())
                .forEach(line -> live.print(INDENT + screen.styled(style, line)));
    }

    /** A text in lines that are no longer than this, unless a word is. */
    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (Columns.of(rest) > width) {
            int end = lineEnd(rest, width);
            if (end == rest.length()) {
                break;
            }
            lines.add(rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    private static int lineEnd(String text, int width) {
        int fits = Columns.first(text, width).length();
        for (int end = fits; end > 0; end--) {
            if (mayEnd(text, end)) {
                return end;
            }
        }
        for (int end = fits + 1; end < text.length(); end++) {
            if (mayEnd(text, end)) {
                return end;
            }
        }
        return text.length();
    }

    /** At a blank, and between letters of a script that has none, but not before what closes or behind what opens. */
    private static boolean mayEnd(String text, int end) {
        char before = text.charAt(end - 1);
        char after = text.charAt(end);
        boolean unspaced = Columns.of(before) == 2 || Columns.of(after) == 2;
        return after == ' ' || (unspaced && NOT_FIRST.indexOf(after) < 0 && NOT_LAST.indexOf(before) < 0);
    }

    /** Draws the act as it is now, if it was not drawn just before. */
    void draw(Scene scene) {
        long now = System.nanoTime();
        if (!screen.isTerminal() || now - drawnNanos < FRAME_NANOS) {
            return;
        }
        Ending.stayQuietIfEnding();
        drawnNanos = now;
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(INDENT + progress(scene));
        for (WorkerProcess worker : scene.workers()) {
            lines.add(INDENT + worker + "  " + bar(scene.count(worker, Kind.SOLD)) + "  " + state(scene, worker));
        }
        live.show(lines);
    }

    private String progress(Scene scene) {
        long sold = scene.count(Kind.SOLD);
        int stock = scene.timeline().stock();
        if (stock == 0) {
            return words.say("live.start");
        }
        double seconds = scene.timeline().elapsedMicros(WorkerLine.nowMicros()) / (double) TimeUnit.SECONDS.toMicros(1);
        String count = screen.styled(sold > stock ? Style.RED : Style.BOLD, words.say("live.sold", sold, stock));
        String rate = sold == 0 ? "" : "   " + words.say("live.rate", Math.round(sold / seconds));
        return String.format(Locale.ROOT, "%4.1f s   ", seconds) + count + rate;
    }

    private String bar(long sold) {
        int full = (int) Math.min(BAR, (sold + 3) / 4);
        return screen.styled(Style.CYAN, "█".repeat(full)) + screen.styled(Style.DIM, "·".repeat(BAR - full));
    }

    private String state(Scene scene, WorkerProcess worker) {
        if (worker.wasKilled()) {
            return screen.styled(Style.RED, words.say("live.killed"));
        }
        if (worker.isStopped()) {
            return screen.styled(Style.YELLOW, words.say("live.stopped"));
        }
        int inside = scene.inside(worker);
        if (inside == 0) {
            return "";
        }
        return scene.isLocked()
                ? screen.styled(Style.GREEN, words.say("live.holds"))
                : words.say("live.inside", inside);
    }

    @Override
    public void close() {
        live.close();
    }
}
