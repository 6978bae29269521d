package io.holdfast.cli.demo;

import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Sales;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The flash sale, with a lock or without. */
record SaleAct(int number, boolean locked, Words words) implements Act {

    private String say(String part, Object... values) {
        return words.say((locked ? "sale.locked." : "sale.open.") + part, values);
    }

    @Override
    public String title() {
        return say("title");
    }

    @Override
    public String plot(Scale scale) {
        return say("plot", scale.workers(), scale.users(), scale.vouchers(), scale.paymentMillis());
    }

    @Override
    public String lesson() {
        return say("lesson");
    }

    @Override
    public String verdict() {
        return say("verdict");
    }

    @Override
    public boolean goesWrong() {
        return !locked;
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
        if (isEven(sales)) {
            List<Long> times = timeline.sales();
            double seconds = times.get(times.size() - 1) / (double) TimeUnit.SECONDS.toMicros(1);
            return words.say("sale.even", sales.sold(), sales.vouchers(), Math.round(sales.sold() / seconds));
        }
        return words.say("sale.odd", sales.sold(), sales.vouchers(), sales.oversold(), sales.duplicates());
    }
}
