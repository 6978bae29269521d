package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Sales;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The process that holds the lock is stopped for longer than its lease, and writes when it wakes up. */
record StoppedHolderAct() implements Act {
    private static final int SLEEPER = 1;
    private static final int NEXT = 2;

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return "Stopped holder wakes late";
    }

    @Override
    public String plot(Scale scale) {
        return "One voucher is left. A process looks, asks its lease, which is valid, and is stopped (SIGSTOP) before it writes. Another one buys."
                + " Then the first wakes up (SIGCONT) and writes.";
    }

    @Override
    public String lesson() {
        return "The check before the write had passed, so no lock could have stopped this write: the fence in the database did, because it knows a greater token.";
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
            timeline.mark(sleeper.name(), Sign.STOP, stopped, "stopped (SIGSTOP), just before it writes");
            // Read when it wakes up: it writes at once, and asks nobody.
            sleeper.tell(Order.of(Order.Verb.WRITE));
            takenOver = secondBuyer(scene, next);
            scene.linger(stage.scale().pause());
            woken = WorkerLine.nowMicros();
        }
        timeline.span(sleeper.name(), Shade.LEASE_LEFT, stopped, takenOver);
        timeline.span(sleeper.name(), Shade.STOPPED, takenOver, woken);
        timeline.mark(sleeper.name(), Sign.WAKE, woken, "wakes up (SIGCONT) and writes with token " + checked.token());
        return verdict(stage, scene, sleeper);
    }

    /** Returns once the lease has been asked; what comes next is the write. */
    private static WorkerLine checkAndWait(Stage stage, Scene scene, WorkerProcess sleeper) {
        sleeper.tell(Order.of(Order.Verb.LATE, 1, (int) stage.scale().pause().toMillis()));
        WorkerLine entered = scene.until(sleeper, Kind.ENTERED);
        Timeline timeline = scene.timeline();
        timeline.beginAt(entered.micros());
        timeline.mark(
                sleeper.name(),
                Sign.GRANT,
                entered.micros(),
                "gets the lock, token " + entered.token() + ", and looks: 1 left");
        WorkerLine checked = scene.until(sleeper, Kind.CHECKED);
        timeline.mark(
                sleeper.name(),
                Sign.CHECK,
                checked.micros(),
                "asks its lease: valid, " + checked.number() + " ms left");
        return checked;
    }

    /** Returns when it got the lock. */
    private static long secondBuyer(Scene scene, WorkerProcess next) {
        next.tell(Order.of(Order.Verb.BUY, 2));
        WorkerLine entered = scene.until(next, Kind.ENTERED);
        Timeline timeline = scene.timeline();
        timeline.mark(
                next.name(),
                Sign.GRANT,
                entered.micros(),
                "gets the lock, token " + entered.token() + ", and enters the fence");
        WorkerLine sold = scene.until(next, Kind.SOLD);
        timeline.mark(next.name(), Sign.WRITE, sold.micros(), "buys the last voucher");
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
                        "refused by the fence: token " + line.token() + " is behind " + line.number()));
        Sales sales = stage.shop().sales();
        long count = scene.count(Kind.REFUSED);
        return new Outcome(
                this,
                count > 0 && sales.sold() == 1,
                refused.isPresent()
                        ? count + " late write refused; its own check had passed\nVouchers sold: " + sales.sold()
                                + " of 1"
                        : "the late write went through: " + sales.sold() + " sold of 1",
                Map.of("refused", count),
                scene.finish());
    }
}
