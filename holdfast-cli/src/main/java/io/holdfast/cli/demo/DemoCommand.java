package io.holdfast.cli.demo;

import io.holdfast.LockException;
import io.holdfast.cli.process.Ending;
import io.holdfast.cli.screen.Screen;
import io.holdfast.cli.screen.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Plays the flash sale. */
@Command(
        name = "demo",
        description =
                "Plays a flash sale in four acts, with a Redis, a database and processes of its own: without a lock, with one, with"
                        + " a holder that is killed, and with one that is stopped and writes too late.",
        footer = {
            "",
            "Ends with 0 if every act showed what it should and the page, if any, was written. The last line is for programs."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final int SHOWN = 0;
    private static final int NOT_SHOWN = 1;

    private final Screen screen;

    @Option(names = "--quick", description = "Fewer buyers who pay faster: some ten seconds instead of twenty.")
    private boolean quick;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description =
                    "Write a page with the timeline of each act: who held the lock when, and what happened to them.")
    private @Nullable Path html;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Write the same timelines as one picture, for a page of your own.")
    private @Nullable Path svg;

    @Option(
            names = "--lang",
            paramLabel = "LANGUAGE",
            description =
                    "What the demo, its page and its picture speak: en, or zh for Chinese. The last line is the same.")
    private String lang = "en";

    private Words words = Words.in(lang);

    /** Plays on this screen. */
    public DemoCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        words = Words.in(lang);
        PageFile page = html == null ? null : PageFile.claim("--html", html);
        PageFile picture = svg == null ? null : PageFile.claim("--svg", svg);
        Scale scale = quick ? Scale.QUICK : Scale.FULL;
        List<Outcome> outcomes;
        try {
            outcomes = play(scale);
        } catch (RuntimeException e) {
            Ending.stayQuietIfEnding();
            throw e;
        }
        Ending.stayQuietIfEnding();
        return conclude(scale, outcomes, page, picture);
    }

    /** The last line comes whatever happens to the page: the acts were played. */
    int conclude(Scale scale, List<Outcome> outcomes, @Nullable PageFile page, @Nullable PageFile picture) {
        summarize(outcomes);
        boolean complete = page == null || write(page, Page.of(words, scale, outcomes));
        complete &= picture == null || write(picture, Picture.of(words, outcomes));
        screen.line(lastLine(outcomes));
        return complete && outcomes.stream().allMatch(Outcome::asExpected) ? SHOWN : NOT_SHOWN;
    }

    private boolean write(PageFile file, String text) {
        try {
            file.write(text);
        } catch (IOException e) {
            screen.note(file.option() + ": " + file + " could not be written (" + file.reason(e) + ")");
            return false;
        }
        screen.line(words.say("page.written", file));
        return true;
    }

    private List<Outcome> play(Scale scale) {
        List<Outcome> outcomes = new ArrayList<>();
        try (View view = new View(screen, words)) {
            view.say(words.say("opening", scale.vouchers(), scale.workers()));
            try (Stage stage = Stage.build(scale)) {
                Ending.stayQuietIfEnding();
                boolean goesOn = true;
                for (Act act : Act.all(words)) {
                    Outcome outcome =
                            goesOn ? play(act, stage, view) : Outcome.failed(act, words.say("not.played"), null);
                    goesOn = outcome.isPlayed();
                    outcomes.add(outcome);
                }
            }
        }
        return outcomes;
    }

    private static Outcome play(Act act, Stage stage, View view) {
        view.begin(act, stage.scale());
        Scene scene = new Scene(stage, view);
        Outcome outcome;
        try {
            if (act.number() == 1) {
                scene.untilAll(stage.workers(), WorkerLine.Kind.CONNECTED);
            }
            outcome = act.play(stage, scene);
        } catch (ActFailedException | LockException | SQLException e) {
            Ending.stayQuietIfEnding();
            outcome = Outcome.failed(act, String.valueOf(e.getMessage()), scene.timeline());
        }
        view.end(outcome);
        return outcome;
    }

    private void summarize(List<Outcome> outcomes) {
        screen.line("");
        Table table = new Table(
                screen,
                words.say("heading.act"),
                words.say("heading.what"),
                words.say("heading.result"),
                words.say("heading.verdict"));
        for (Outcome outcome : outcomes) {
            String verdict = screen.styled(View.style(outcome), outcome.verdict(words));
            table.row(String.valueOf(outcome.act().number()), outcome.act().title(), outcome.headline(), verdict);
        }
        table.lines().forEach(screen::line);
        screen.line("");
    }

    static String lastLine(List<Outcome> outcomes) {
        return "demo: act1 oversold=" + outcomes.get(0).number("oversold")
                + " act2 oversold=" + outcomes.get(1).number("oversold")
                + " duplicates=" + outcomes.get(1).number("duplicates")
                + " act3 recoveredMillis=" + outcomes.get(2).number("recoveredMillis")
                + " act4 refused=" + outcomes.get(3).number("refused");
    }
}
