package io.holdfast.cli;

import io.holdfast.cli.screen.Screen;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The manual as a page for {@code man}. */
@Command(
        name = "man",
        description = {"Prints the manual page.", "", "Read it with: holdfast man | man -l -"},
        mixinStandardHelpOptions = true)
final class ManCommand implements Callable<Integer> {
    private final Screen screen;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ManCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        screen.raw(ManPage.of(spec.root().commandLine()));
        return ExitCodes.OK;
    }
}
