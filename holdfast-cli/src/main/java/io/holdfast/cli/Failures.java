package io.holdfast.cli;

import io.holdfast.LockException;
import io.holdfast.cli.screen.ReaderGoneException;
import io.holdfast.cli.screen.Screen;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in one line, and gives each kind of trouble its exit code. */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final Screen screen;
    private final BooleanSupplier verbose;

    Failures(Screen screen, BooleanSupplier verbose) {
        this.screen = screen;
        this.verbose = verbose;
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String message = wrong instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : message(wrong);
        screen.note(message + " (" + name + " --help says more)");
        if (verbose.getAsBoolean()) {
            screen.stackTrace(wrong);
        }
        return ExitCodes.USAGE;
    }

    private static String unknown(UnmatchedArgumentException wrong) {
        String first = wrong.getUnmatched().get(0);
        if (wrong.isUnknownOption()) {
            return unknownOption(wrong.getCommandLine(), first);
        }
        return wrong.getCommandLine().getSubcommands().isEmpty()
                ? "'" + first + "' is one word too many"
                : "unknown command '" + first + "'"
                        + nearest(wrong.getCommandLine().getSubcommands().keySet(), first);
    }

    /** The message for an option that does not exist, with those that may be meant. */
    static String unknownOption(CommandLine line, String option) {
        return "unknown option '" + option + "'"
                + nearest(line.getCommandSpec().optionsMap().keySet(), option);
    }

    /** Those that are one or two slips of the finger away, two neighbours that changed places among them. */
    private static String nearest(Set<String> known, String word) {
        List<String> near = known.stream()
                .filter(each -> slips(each, word) <= 2)
                .sorted(Comparator.comparing(each -> slips(each, word)))
                .map(each -> "'" + each + "'")
                .limit(3)
                .toList();
        return near.isEmpty() ? "" : ", did you mean " + String.join(" or ", near) + "?";
    }

    private static int slips(String meant, String typed) {
        int[][] steps = new int[meant.length() + 1][typed.length() + 1];
        for (int i = 0; i <= meant.length(); i++) {
            for (int j = 0; j <= typed.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int change = meant.charAt(i - 1) == typed.charAt(j - 1) ? 0 : 1;
                steps[i][j] = Math.min(steps[i - 1][j - 1] + change, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && meant.charAt(i - 1) == typed.charAt(j - 2)
                        && meant.charAt(i - 2) == typed.charAt(j - 1)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[meant.length()][typed.length()];
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ReaderGoneException) {
            return ExitCodes.ABANDONED;
        }
        int code = code(failure);
        screen.note(
                code == ExitCodes.INTERNAL
                        ? "this should not have happened: " + failure + " (--verbose shows where)"
                        : message(failure));
        if (verbose.getAsBoolean()) {
            screen.stackTrace(failure);
        }
        return code;
    }

    private static int code(Exception failure) {
        if (failure instanceof CommandException known) {
            return known.code();
        }
        if (failure instanceof LockException || failure instanceof UncheckedIOException) {
            return ExitCodes.BROKEN;
        }
        boolean misuse =
                failure instanceof IllegalArgumentException || failure instanceof UnsupportedOperationException;
        return misuse ? ExitCodes.USAGE : ExitCodes.INTERNAL;
    }

    /** The message of a failure on one line. */
    private static String message(Exception failure) {
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : null;
        String why = cause == null ? "" : ": " + cause.getClass().getSimpleName() + " " + cause.getMessage();
        return (message.strip() + why).replaceAll("\\s*\\R\\s*", "; ");
    }
}
