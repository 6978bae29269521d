package io.holdfast.cli;

import io.holdfast.cli.demo.DemoCommand;
import picocli.CommandLine;

/** All commands, in the order in which help lists them. */
final class Commands {
    private Commands() {}

    static void addTo(CommandLine line, Screen screen) {
        line.addSubcommand("ls", new ListCommand(screen));
        line.addSubcommand("demo", new DemoCommand(screen));
    }
}
