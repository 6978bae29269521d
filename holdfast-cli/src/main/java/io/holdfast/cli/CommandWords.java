package io.holdfast.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * {@code NAME -- CMD…}: what stands before the two dashes is ours, what stands behind them is the command's, whatever
 * it looks like.
 */
record CommandWords(String name, List<String> command) {
    private static final String DASHES = "--";

    /**
     * Takes the words apart.
     *
     * @param line to complain about
     * @param args everything behind {@code run}
     * @param words what is left of it without options, the dashes gone
     */
    static CommandWords of(CommandLine line, List<String> args, List<String> words) {
        int dashes = args.indexOf(DASHES);
        int behind = dashes < 0 ? 0 : args.size() - dashes - 1;
        List<String> before = words.subList(0, words.size() - behind);
        if (dashes < 0 && before.size() > 1) {
            throw wrong(
                    line, "put -- before the command: holdfast run " + before.get(0) + " -- " + before.get(1) + " …");
        }
        if (before.isEmpty()) {
            throw wrong(line, "the name of the lock is missing: holdfast run NAME -- COMMAND");
        }
        before.stream().filter(word -> word.startsWith("-")).findFirst().ifPresent(option -> {
            throw wrong(line, Failures.unknownOption(line, option) + "; options of the command stand behind --");
        });
        if (before.size() > 1) {
            throw wrong(line, "'" + before.get(1) + "' is one word too many before --");
        }
        String name = before.get(0);
        if (name.isBlank()) {
            throw wrong(line, "the name of the lock is empty");
        }
        if (behind == 0 || args.get(dashes + 1).isEmpty()) {
            throw wrong(line, "the command to run is missing: holdfast run " + name + " -- COMMAND");
        }
        return new CommandWords(name, List.copyOf(args.subList(dashes + 1, args.size())));
    }

    private static ParameterException wrong(CommandLine line, String message) {
        return new ParameterException(line, message);
    }
}
