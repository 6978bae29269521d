package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.WorkerLine.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One act while it is played: listens to the workers, keeps the timeline, lets the view draw. */
final class Scene {
    private static final long PATIENCE_SECONDS = 60;
    private static final long STEP_MILLIS = 40;

    private final Stage stage;
    private final View view;
    private final Timeline timeline;
    private final List<Said> heard = new ArrayList<>();
    private final Map<WorkerProcess, Integer> inside = new HashMap<>();
    private final Map<WorkerProcess, Long> since = new HashMap<>();
    private final Map<WorkerProcess, Long> gone = new HashMap<>();

    Scene(Stage stage, View view) {
        this.stage = stage;
        this.view = view;
        this.timeline =
                new Timeline(stage.workers().stream().map(WorkerProcess::name).toList(), WorkerLine.nowMicros());
    }

    Timeline timeline() {
        return timeline;
    }

    /** Listens until all of these have said it. */
    void untilAll(Collection<WorkerProcess> workers, Kind kind) {
        until(
                workers + " to be " + kind,
                () -> workers.stream().allMatch(worker -> first(worker, kind).isPresent()));
    }

    /** Listens until this worker says it. */
    WorkerLine until(WorkerProcess worker, Kind kind) {
        until(worker + " to say " + kind, () -> first(worker, kind).isPresent());
        return first(worker, kind).orElseThrow();
    }

    /** Listens until something is so. */
    void until(String what, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            while (!isSo.getAsBoolean()) {
                Said next = stage.listen(STEP_MILLIS);
                if (next != null) {
                    hear(next);
                } else if (System.nanoTime() - deadline > 0) {
                    throw new ActFailedException("waited " + PATIENCE_SECONDS + " s in vain for " + what);
                }
                view.draw(this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActFailedException("interrupted while waiting for " + what);
        }
    }

    /** Goes on listening for a while, so that a person can see how things are. */
    void linger(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        until("the time to pass", () -> System.nanoTime() - end >= 0);
    }

    private void hear(Said said) {
        heard.add(said);
        WorkerProcess worker = said.worker();
        WorkerLine line = said.line();
        switch (line.kind()) {
            case ENTERED -> {
                if (inside.merge(worker, 1, Integer::sum) == 1) {
                    since.put(worker, line.micros());
                }
            }
            case LEFT -> {
                if (inside.merge(worker, -1, Integer::sum) == 0) {
                    Shade shade = line.token() == 0 ? Shade.CROWD : Shade.HELD;
                    leave(worker, shade, line.micros());
                }
            }
            case SOLD -> timeline.sale(line.micros());
            case ENDED -> {
                if (!worker.wasKilled()) {
                    throw new ActFailedException(worker + " ended, and nobody asked for it: " + worker.lastWords());
                }
            }
            default -> {}
        }
    }

    private void leave(WorkerProcess worker, Shade shade, long micros) {
        Long from = since.remove(worker);
        if (from != null) {
            timeline.span(worker.name(), shade, from, micros);
        }
    }

    /** The act is over: those that were killed before it were gone all the time. */
    Timeline finish() {
        long end = WorkerLine.nowMicros();
        for (WorkerProcess worker : stage.workers()) {
            if (worker.wasKilled()) {
                timeline.span(worker.name(), Shade.GONE, gone.getOrDefault(worker, 0L), end);
            }
        }
        return timeline;
    }

    /** From here on the worker is seen as gone. */
    void setGone(WorkerProcess worker, long micros) {
        gone.put(worker, micros);
    }

    /** The worker is no longer there to say that it left. */
    void cutOff(WorkerProcess worker, long micros) {
        leave(worker, Shade.HELD, micros);
    }

    /** The first line of this kind in this scene. */
    Optional<WorkerLine> first(WorkerProcess worker, Kind kind) {
        return heard.stream()
                .filter(said -> said.worker() == worker && said.line().kind() == kind)
                .map(Said::line)
                .findFirst();
    }

    /** Who was the first to say this after a moment. */
    Optional<Said> firstAfter(long micros, Kind kind) {
        return heard.stream()
                .filter(said -> said.line().kind() == kind && said.line().micros() > micros)
                .findFirst();
    }

    long count(Kind kind) {
        return heard.stream().filter(said -> said.line().kind() == kind).count();
    }

    long count(WorkerProcess worker, Kind kind) {
        return heard.stream()
                .filter(said -> said.worker() == worker && said.line().kind() == kind)
                .count();
    }

    /** Is there a lock in this act? */
    boolean isLocked() {
        return heard.stream().anyMatch(said -> said.line().token() > 0);
    }

    int inside(WorkerProcess worker) {
        return inside.getOrDefault(worker, 0);
    }

    List<WorkerProcess> workers() {
        return stage.workers();
    }
}
