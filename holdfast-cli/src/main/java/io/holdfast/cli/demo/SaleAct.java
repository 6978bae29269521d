package io.holdfast.cli.demo;

import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Sales;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The flash sale, with a lock or without. */
record SaleAct(int number, boolean locked) implements Act {

    @Override
    public String title() {
        return locked ? "Sale with a lock" : "Sale without a lock";
    }

    @Override
    public String plot(Scale scale) {
        return scale.workers() + " processes, " + scale.users() + " users who click twice each, " + scale.vouchers()
                + " vouchers, payments of " + scale.paymentMillis() + " ms"
                + (locked ? ", and a Holdfast lock around each purchase." : ", and no lock.");
    }

    @Override
    public String lesson() {
        return locked
                ? "The lock lets one buyer at a time look and write, in whichever process: every voucher is sold once, and nobody gets two."
                : "Looking and writing are two steps, and others come between them: vouchers are sold that do not exist, and users get two.";
    }

    @Override
    public Outcome play(Stage stage, Scene scene) throws SQLException {
        Scale scale = stage.scale();
        List<WorkerProcess> workers = stage.workers();
        stage.shop().open(scale.vouchers());
        scene.timeline().setStock(scale.vouchers());
        for (int i = 0; i < workers.size(); i++) {
            workers.get(i).tell(Order.sale(i, workers.size(), scale.users(), scale.paymentMillis(), locked));
        }
        scene.untilAll(workers, Kind.READY);
        scene.timeline().beginAt(WorkerLine.nowMicros());
        workers.forEach(worker -> worker.tell(Order.of(Order.Verb.GO)));
        scene.untilAll(workers, Kind.DONE);

        Sales sales = stage.shop().sales();
        return new Outcome(
                this,
                locked ? isEven(sales) : sales.oversold() > 0 && sales.duplicates() > 0,
                result(sales, scene.timeline()),
                Map.of("oversold", (long) sales.oversold(), "duplicates", (long) sales.duplicates()),
                scene.finish());
    }

    private static boolean isEven(Sales sales) {
        return sales.sold() == sales.vouchers() && sales.duplicates() == 0;
    }

    private String result(Sales sales, Timeline timeline) {
        String sold = sales.sold() + " sold of " + sales.vouchers() + ": ";
        if (isEven(sales)) {
            List<Long> times = timeline.sales();
            double seconds = times.get(times.size() - 1) / (double) TimeUnit.SECONDS.toMicros(1);
            return sold + "one each, " + Math.round(sales.sold() / seconds) + " sold/s";
        }
        return sold + sales.oversold() + " too many, " + sales.duplicates() + " users got two";
    }
}
