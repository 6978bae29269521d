package io.holdfast.cli.demo;

import io.holdfast.cli.LiveLines;
import io.holdfast.cli.Screen;
import io.holdfast.cli.Screen.Style;
import io.holdfast.cli.demo.WorkerLine.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What can be seen while the acts are played: on a terminal a few lines that move, elsewhere a line when an act begins and some when it is over. */
final class View implements AutoCloseable {
    private static final long FRAME_NANOS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final int BAR = 30;

    private final Screen screen;
    private final LiveLines live;
    private final long begunNanos = System.nanoTime();
    private long actNanos = begunNanos;
    private long drawnNanos;

    View(Screen screen) {
        this.screen = screen;
        this.live = screen.live();
    }

    void say(String line) {
        live.print(line);
    }

    void begin(Act act, Scale scale) {
        actNanos = System.nanoTime();
        live.print("");
        live.print(screen.styled(Style.BOLD, "Act " + act.number() + "  " + act.title()));
        live.print("       " + screen.styled(Style.DIM, act.plot(scale)));
    }

    void end(Outcome outcome) {
        live.show(List.of());
        Style style = outcome.asPromised() ? Style.GREEN : Style.RED;
        live.print("       " + screen.styled(style, outcome.result()));
        if (outcome.asPromised()) {
            live.print("       " + outcome.act().lesson());
        }
    }

    /** Draws the act as it is now, if it was not drawn just before. */
    void draw(Scene scene) {
        long now = System.nanoTime();
        if (!screen.isTerminal() || now - drawnNanos < FRAME_NANOS) {
            return;
        }
        drawnNanos = now;
        List<String> lines = new ArrayList<>();
        long sold = scene.count(Kind.SOLD);
        double seconds = (now - actNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        lines.add(String.format("       %5.1f s   %d sold   %.0f sold/s", seconds, sold, sold / seconds));
        for (WorkerProcess worker : scene.workers()) {
            lines.add("       " + worker + "  " + bar(scene.count(worker, Kind.SOLD)) + "  " + state(scene, worker));
        }
        live.show(lines);
    }

    private String bar(long sold) {
        int full = (int) Math.min(BAR, (sold + 3) / 4);
        return screen.styled(Style.CYAN, "█".repeat(full)) + screen.styled(Style.DIM, "·".repeat(BAR - full));
    }

    private String state(Scene scene, WorkerProcess worker) {
        if (worker.wasKilled()) {
            return screen.styled(Style.RED, "killed");
        }
        int inside = scene.inside(worker);
        return inside == 0 ? "" : inside == 1 ? screen.styled(Style.GREEN, "holds the lock") : inside + " at once";
    }

    @Override
    public void close() {
        live.close();
    }
}
