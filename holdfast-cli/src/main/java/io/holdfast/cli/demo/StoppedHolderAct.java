package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Sales;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The process that holds the lock is stopped for longer than its lease, and writes when it wakes up. */
record StoppedHolderAct(Words words) implements Act {
    private static final int SLEEPER = 1;
    private static final int NEXT = 2;

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return words.say("stopped.title");
    }

    @Override
    public String plot(Scale scale) {
        return words.say("stopped.plot");
    }

    @Override
    public String lesson() {
        return words.say("stopped.lesson");
    }

    @Override
    public String verdict() {
        return words.say("stopped.verdict");
    }

    @Override
    public Outcome play(Stage stage, Scene scene) throws SQLException {
        stage.shop().open(1);
        scene.timeline().setStock(1);
        WorkerProcess sleeper = stage.workers().get(SLEEPER);
        WorkerProcess next = stage.workers().get(NEXT);
        Timeline timeline = scene.timeline();
        WorkerLine checked = checkAndWait(stage, scene, sleeper);

        long stopped;
        long takenOver;
        long woken;
        try (WorkerProcess.Stop sleep = sleeper.stop()) {
            stopped = WorkerLine.nowMicros();
            scene.cutOff(sleeper, stopped);
            timeline.mark(sleeper.name(), Sign.STOP, stopped, words.say("mark.stop"));
            // Read when it wakes up: it writes at once, and asks nobody.
            sleeper.tell(Order.of(Order.Verb.WRITE));
            takenOver = secondBuyer(scene, next);
            scene.linger(stage.scale().pause());
            woken = WorkerLine.nowMicros();
        }
        timeline.span(sleeper.name(), Shade.LEASE_LEFT, stopped, takenOver);
        timeline.span(sleeper.name(), Shade.STOPPED, takenOver, woken);
        timeline.mark(sleeper.name(), Sign.WAKE, woken, words.say("mark.wake", checked.token()));
        return verdict(stage, scene, sleeper);
    }

    /** Returns once the lease has been asked; what comes next is the write. */
    private WorkerLine checkAndWait(Stage stage, Scene scene, WorkerProcess sleeper) {
        sleeper.tell(Order.of(Order.Verb.LATE, 1, (int) stage.scale().pause().toMillis()));
        WorkerLine entered = scene.until(sleeper, Kind.ENTERED);
        Timeline timeline = scene.timeline();
        timeline.beginAt(entered.micros());
        timeline.mark(sleeper.name(), Sign.GRANT, entered.micros(), words.say("mark.looks", entered.token()));
        WorkerLine checked = scene.until(sleeper, Kind.CHECKED);
        timeline.mark(sleeper.name(), Sign.CHECK, checked.micros(), words.say("mark.check", checked.number()));
        return checked;
    }

    /** Returns when it got the lock. */
    private long secondBuyer(Scene scene, WorkerProcess next) {
        next.tell(Order.of(Order.Verb.BUY, 2));
        WorkerLine entered = scene.until(next, Kind.ENTERED);
        Timeline timeline = scene.timeline();
        timeline.mark(next.name(), Sign.GRANT, entered.micros(), words.say("mark.fence", entered.token()));
        WorkerLine sold = scene.until(next, Kind.SOLD);
        timeline.mark(next.name(), Sign.WRITE, sold.micros(), words.say("mark.buys"));
        scene.until(next, Kind.LEFT);
        return entered.micros();
    }

    private Outcome verdict(Stage stage, Scene scene, WorkerProcess sleeper) throws SQLException {
        scene.until(sleeper, Kind.LEFT);
        Optional<WorkerLine> refused = scene.first(sleeper, Kind.REFUSED);
        refused.ifPresent(line -> scene.timeline()
                .mark(
                        sleeper.name(),
                        Sign.REFUSAL,
                        line.micros(),
                        words.say("mark.refused", line.token(), line.number())));
        Sales sales = stage.shop().sales();
        long count = scene.count(Kind.REFUSED);
        return new Outcome(
                this,
                count > 0 && sales.sold() == 1,
                refused.isPresent()
                        ? words.say("stopped.result", count) + "\n" + words.say("stopped.after", sales.sold())
                        : words.say("stopped.wrong", sales.sold()),
                Map.of("refused", count),
                scene.finish());
    }
}
