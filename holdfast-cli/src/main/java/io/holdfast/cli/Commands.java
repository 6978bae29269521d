package io.holdfast.cli;

import io.holdfast.cli.demo.DemoCommand;
import io.holdfast.cli.screen.Screen;
import picocli.CommandLine;

/** All commands, in the order in which help lists them. */
final class Commands {
    private Commands() {}

    static void addTo(CommandLine line, Screen screen) {
        RunCommand.addTo(line, screen);
        line.addSubcommand(new ListCommand(screen))
                .addSubcommand(new ShowCommand(screen))
                .addSubcommand(new WatchCommand(screen))
                .addSubcommand(new DeadlocksCommand(screen))
                .addSubcommand(new BreakCommand(screen))
                .addSubcommand(new DoctorCommand(screen))
                .addSubcommand(new StoreCommand(screen))
                .addSubcommand(new InitCommand(screen))
                .addSubcommand(new CommandLine(new QuorumCommand()).addSubcommand(new QuorumCommand.Init(screen)))
                .addSubcommand(new DemoCommand(screen))
                .addSubcommand(new CompletionCommand(screen));
    }
}
