package io.holdfast.cli.demo;

import java.sql.SQLException;
import java.util.List;

/** One act of the demo. */
interface Act {
    int number();

    String title();

    /** What the act does, for the audience. */
    String plot(Scale scale);

    /** What it shows, in one sentence. */
    String lesson();

    Outcome play(Stage stage, Scene scene) throws SQLException;

    static List<Act> all() {
        return List.of(new SaleAct(1, false), new SaleAct(2, true), new KilledHolderAct(), new StoppedHolderAct());
    }
}
