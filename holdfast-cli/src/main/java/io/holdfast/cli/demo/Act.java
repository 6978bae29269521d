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

    /** What came of it, in a word, if it showed what it should. */
    String verdict();

    /** Whether what it shows is how things go wrong. */
    default boolean goesWrong() {
        return false;
    }

    Outcome play(Stage stage, Scene scene) throws SQLException;

    /** All of them, in this language. */
    static List<Act> all(Words words) {
        return List.of(
                new SaleAct(1, false, words),
                new SaleAct(2, true, words),
                new KilledHolderAct(words),
                new StoppedHolderAct(words));
    }
}
