package io.holdfast.cli.demo;

import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.cli.process.Ending;
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

    private final Screen screen;
    private final LiveLines live;
    private final int width;
    private long drawnNanos;

    View(Screen screen) {
        this.screen = screen;
        this.live = screen.live();
        this.width = Math.min(screen.width(), WIDEST) - INDENT.length() - 1;
    }

    void say(String line) {
        live.print(line);
    }

    void begin(Act act, Scale scale) {
        live.print("");
        live.print(screen.styled(Style.BOLD, "Act " + act.number() + "  " + act.title()));
        print(act.plot(scale), Style.DIM);
    }

    void end(Outcome outcome) {
        live.show(List.of());
        print(outcome.result(), outcome.asExpected() ? Style.GREEN : Style.RED);
        if (outcome.asExpected()) {
            wrapped(outcome.act().lesson(), width).forEach(line -> live.print(INDENT + line));
        }
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
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            end = end > 0 ? end : rest.indexOf(' ', width);
            if (end < 0) {
                break;
            }
            lines.add(rest.substring(0, end));
            rest = rest.substring(end + 1);
        }
        lines.add(rest);
        return lines;
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
            return "the processes start";
        }
        double seconds = scene.timeline().elapsedMicros(WorkerLine.nowMicros()) / (double) TimeUnit.SECONDS.toMicros(1);
        String count = screen.styled(sold > stock ? Style.RED : Style.BOLD, sold + " of " + stock + " sold");
        String rate = sold == 0 ? "" : String.format(Locale.ROOT, "   %.0f sold/s", sold / seconds);
        return String.format(Locale.ROOT, "%4.1f s   ", seconds) + count + rate;
    }

    private String bar(long sold) {
        int full = (int) Math.min(BAR, (sold + 3) / 4);
        return screen.styled(Style.CYAN, "█".repeat(full)) + screen.styled(Style.DIM, "·".repeat(BAR - full));
    }

    private String state(Scene scene, WorkerProcess worker) {
        if (worker.wasKilled()) {
            return screen.styled(Style.RED, "killed");
        }
        if (worker.isStopped()) {
            return screen.styled(Style.YELLOW, "stopped");
        }
        int inside = scene.inside(worker);
        return inside == 0
                ? ""
                : scene.isLocked() ? screen.styled(Style.GREEN, "holds the lock") : inside + " buyers at once";
    }

    @Override
    public void close() {
        live.close();
    }
}
