package io.holdfast.cli;

import io.holdfast.cli.demo.DemoCommand;
import io.holdfast.cli.screen.Screen;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * All commands, in the order in which help lists them. To know a command takes a while, because picocli looks at
 * everything in it; so the one that is meant is added alone.
 */
final class Commands {
    /** They tell about the others. */
    private static final Set<String> ABOUT_ALL = Set.of("completion", "man");

    private static final Map<String, String> ALIASES = Map.of("list", "ls");

    private Commands() {}

    /**
     * Adds those that the words may mean: one, or all if they name none.
     *
     * @param words what was typed; no option of holdfast has a value, so the first that is no option is a command
     */
    static void addTo(CommandLine line, Screen screen, String... words) {
        Map<String, Function<Screen, CommandLine>> all = all();
        String first = Arrays.stream(words)
                .filter(word -> !word.startsWith("-"))
                .findFirst()
                .orElse("");
        String meant = ALIASES.getOrDefault(first, first);
        boolean isOne = all.containsKey(meant) && !ABOUT_ALL.contains(meant);
        all.forEach((name, made) -> {
            if (!isOne || name.equals(meant)) {
                line.addSubcommand(made.apply(screen));
            }
        });
    }

    private static Map<String, Function<Screen, CommandLine>> all() {
        Map<String, Function<Screen, CommandLine>> all = new LinkedHashMap<>();
        all.put("run", RunCommand::line);
        all.put("ls", screen -> new CommandLine(new ListCommand(screen)));
        all.put("show", screen -> new CommandLine(new ShowCommand(screen)));
        all.put("watch", screen -> new CommandLine(new WatchCommand(screen)));
        all.put("deadlocks", screen -> new CommandLine(new DeadlocksCommand(screen)));
        all.put("break", screen -> new CommandLine(new BreakCommand(screen)));
        all.put("doctor", screen -> new CommandLine(new DoctorCommand(screen)));
        all.put("store", screen -> new CommandLine(new StoreCommand(screen)));
        all.put("init", screen -> new CommandLine(new InitCommand(screen)));
        all.put("quorum", screen -> new CommandLine(new QuorumCommand()).addSubcommand(new QuorumCommand.Init(screen)));
        all.put("demo", screen -> new CommandLine(new DemoCommand(screen)));
        all.put("completion", screen -> new CommandLine(new CompletionCommand(screen)));
        all.put("man", screen -> new CommandLine(new ManCommand(screen)));
        return all;
    }
}
