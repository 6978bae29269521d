package io.holdfast.cli;

import io.holdfast.cli.embedded.Choice;
import io.holdfast.cli.screen.Screen;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Which store is used when none is named, and how to choose another one. */
@Command(
        name = "store",
        description = {
            "Says which store is used when neither --url nor HOLDFAST_URL names one.",
            "",
            "The first command that names none chooses: the Redis at localhost:6379 if one is there, else the embedded one."
                    + " All later ones use the same, also while it is away: in another one they would not meet those who"
                    + " hold locks in it. --forget lets the next command choose."
        },
        mixinStandardHelpOptions = true)
final class StoreCommand implements Callable<Integer> {
    private final Screen screen;

    @Option(names = "--forget", description = "Forget the choice. Asks first.")
    private boolean forget;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    StoreCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        Optional<Choice> known = Choice.known();
        if (known.isEmpty()) {
            screen.line("none was chosen yet");
            return forget ? ExitCodes.NO : ExitCodes.OK;
        }
        Choice choice = known.get();
        String shown = choice.isEmbedded() ? "the embedded Redis of this user" : choice.store();
        if (!forget) {
            screen.line(shown + ", remembered in " + choice.file());
            return ExitCodes.OK;
        }
        if (!yes && !Question.isAnsweredYes(screen, "Forget " + shown + ", and does no command hold a lock in it?")) {
            screen.line("nothing was changed");
            return ExitCodes.NO;
        }
        choice.forget();
        screen.line("forgotten: " + shown + "; the next command chooses");
        return ExitCodes.OK;
    }
}
