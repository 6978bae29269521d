package io.holdfast.cli.demo;

import io.holdfast.cli.LiveLines;
import io.holdfast.cli.Screen;
import io.holdfast.cli.Screen.Style;
import io.holdfast.cli.demo.WorkerLine.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What can be seen while the acts are played: on a terminal a few lines that move, elsewhere a line when an act begins and some when it is over. */
final class View implements AutoCloseable {
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final int BAR = 30;
    private static final String INDENT = "       ";

    private final Screen screen;
    private final LiveLines live;
    private long drawnNanos;

    View(Screen screen) {
        this.screen = screen;
        this.live = screen.live();
    }

    void say(String line) {
        live.print(line);
    }

    void begin(Act act, Scale scale) {
        live.print("");
        live.print(screen.styled(Style.BOLD, "Act " + act.number() + "  " + act.title()));
        live.print(INDENT + screen.styled(Style.DIM, act.plot(scale)));
    }

    void end(Outcome outcome) {
        live.show(List.of());
        Style style = outcome.asPromised() ? Style.GREEN : Style.RED;
        live.print(INDENT + screen.styled(style, outcome.result()));
        if (outcome.asPromised()) {
            live.print(INDENT + outcome.act().lesson());
        }
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
