package io.holdfast.cli;

import io.holdfast.LockException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
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
        boolean hasCommands = !wrong.getCommandLine().getSubcommands().isEmpty();
        String what = wrong.isUnknownOption()
                ? "unknown option '" + first + "'"
                : hasCommands ? "unknown command '" + first + "'" : "'" + first + "' is one word too many";
        List<String> near = wrong.isUnknownOption() || hasCommands ? wrong.getSuggestions() : List.of();
        return near.isEmpty()
                ? what
                : what + ", did you mean "
                        + near.stream().limit(3).map(each -> "'" + each + "'").collect(Collectors.joining(" or "))
                        + "?";
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
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

    /** On one line, whatever is in it. */
    private static String message(Exception failure) {
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : null;
        String why = cause == null ? "" : ": " + cause.getClass().getSimpleName() + " " + cause.getMessage();
        return (message.strip() + why).replaceAll("\\s*\\R\\s*", "; ");
    }
}
