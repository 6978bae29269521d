package io.holdfast.cli.demo;

import io.holdfast.cli.demo.Timeline.Shade;
import io.holdfast.cli.demo.Timeline.Sign;
import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Sales;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The process that holds the lock is killed, and the others go on. */
record KilledHolderAct(Words words) implements Act {
    private static final int VOUCHERS = 20;
    private static final int USERS = 30;
    private static final int PAYMENT_MILLIS = 15;

    @Override
    public int number() {
        return 3;
    }

    @Override
    public String title() {
        return words.say("killed.title");
    }

    @Override
    public String plot(Scale scale) {
        return words.say("killed.plot", scale.lease().toSeconds());
    }

    @Override
    public String lesson() {
        return words.say("killed.lesson");
    }

    @Override
    public String verdict() {
        return words.say("killed.verdict");
    }

    @Override
    public Outcome play(Stage stage, Scene scene) throws SQLException {
        stage.shop().open(VOUCHERS);
        scene.timeline().setStock(VOUCHERS);
        WorkerProcess victim = stage.workers().get(0);
        List<WorkerProcess> others = stage.workers().subList(1, stage.workers().size());
        WorkerLine held = standAtTill(scene, victim);
        lineUp(scene, others);
        scene.until("the others to wait for the lock", () -> stage.waiters() == others.size());
        scene.linger(stage.scale().pause());

        long killed = kill(scene, victim);
        Said heir = heir(scene, killed);
        long recovered = heir.line().micros();
        scene.timeline().span(victim.name(), Shade.LEASE_LEFT, killed, recovered);
        scene.setGone(victim, recovered);
        scene.untilAll(others, Kind.DONE);
        scene.finish();

        Sales sales = stage.shop().sales();
        boolean even = sales.sold() == VOUCHERS && sales.duplicates() == 0;
        long millis = TimeUnit.MICROSECONDS.toMillis(recovered - killed);
        return new Outcome(
                this,
                heir.line().token() > held.token() && even,
                words.say(
                                "killed.result",
                                heir.worker(),
                                millis,
                                stage.scale().lease().toMillis())
                        + "\n"
                        + words.say(
                                "killed.after", sales.vouchers(), sales.sold(), sales.oversold(), sales.duplicates()),
                Map.of("recoveredMillis", millis),
                scene.timeline());
    }

    private WorkerLine standAtTill(Scene scene, WorkerProcess victim) {
        victim.tell(Order.of(Order.Verb.STAND, USERS));
        WorkerLine entered = scene.until(victim, Kind.ENTERED);
        scene.timeline().beginAt(entered.micros());
        scene.timeline().mark(victim.name(), Sign.GRANT, entered.micros(), words.say("mark.grant", entered.token()));
        scene.until(victim, Kind.CHECKED);
        return entered;
    }

    private static void lineUp(Scene scene, List<WorkerProcess> others) {
        for (int i = 0; i < others.size(); i++) {
            others.get(i).tell(Order.sale(i, others.size(), USERS, PAYMENT_MILLIS, true));
        }
        scene.untilAll(others, Kind.READY);
        others.forEach(other -> other.tell(Order.of(Order.Verb.GO)));
    }

    private long kill(Scene scene, WorkerProcess victim) {
        long killed = WorkerLine.nowMicros();
        victim.kill();
        scene.cutOff(victim, killed);
        scene.timeline().mark(victim.name(), Sign.KILL, killed, words.say("mark.killed"));
        return killed;
    }

    private Said heir(Scene scene, long killed) {
        scene.until(
                "another process to get the lock",
                () -> scene.firstAfter(killed, Kind.ENTERED).isPresent());
        Said heir = scene.firstAfter(killed, Kind.ENTERED).orElseThrow();
        String text = words.say("mark.grant", heir.line().token());
        scene.timeline().mark(heir.worker().name(), Sign.GRANT, heir.line().micros(), text);
        return heir;
    }
}
