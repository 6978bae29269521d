package io.holdfast.cli;

import picocli.CommandLine;

/** All commands, in the order in which help lists them. */
final class Commands {
    private Commands() {}

    static void addTo(CommandLine line, Screen screen) {
        line.addSubcommand("ls", new ListCommand(screen));
    }
}
