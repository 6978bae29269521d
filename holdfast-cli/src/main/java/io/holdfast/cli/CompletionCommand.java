package io.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lets a shell complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Prints a script that lets bash and zsh complete holdfast's commands and options.",
            "",
            "bash: source <(holdfast completion), in ~/.bashrc. zsh: autoload -U +X bashcompinit && bashcompinit before it."
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    private final Screen screen;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    CompletionCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        screen.raw(AutoComplete.bash("holdfast", spec.root().commandLine()));
        return ExitCodes.OK;
    }
}
