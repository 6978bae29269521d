package io.holdfast.cli;

import io.holdfast.cli.screen.ReaderGoneException;
import io.holdfast.cli.screen.Screen;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command itself: without one of its own commands it says which there are. */
@Command(
        name = "holdfast",
        description = "Distributed locks from the command line.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Holdfast.Version.class,
        subcommandsRepeatable = false,
        footer = {
            "",
            "Where the locks are, Redis, a database or ZooKeeper: --url, else HOLDFAST_URL, else Redis at localhost:6379 if one is there, else an embedded"
                    + " Redis that all holdfast commands of this user share. The choice between the last two is made once and"
                    + " remembered: 'holdfast store' shows it.",
            "",
            "Exit codes: 0 fine; 1 not found, or a check failed; 64 bad usage; 69 the store cannot be used; 70 a defect;"
                    + " 75 busy; 76 the lock was lost; 126 and 127 the command to run cannot be run; 130 interrupted."
        })
final class Holdfast implements Runnable {
    /** Below this picocli refuses to work at all. */
    private static final int LEAST_WIDTH = 55;

    private static final int MOST_WIDTH = 110;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Say more: what the library logs, and where a failure came from.")
    private boolean verbose;

    @Spec
    private CommandSpec spec;

    private Holdfast(CommandSpec none) {
        spec = none;
    }

    /** Runs one command line. */
    static int execute(Screen screen, String... args) {
        return commandLine(screen, args).execute(args);
    }

    /** With the command that the words mean, or with all of them. */
    static CommandLine commandLine(Screen screen, String... words) {
        Holdfast root = new Holdfast(CommandSpec.create());
        CommandLine line = new CommandLine(root);
        Commands.addTo(line, screen, words);
        Failures failures = new Failures(screen, () -> root.verbose);
        return line.setExecutionStrategy(parsed -> {
                    StderrLogs.setVerbose(root.verbose);
                    return checked(screen, failures, parsed);
                })
                .setOut(writer(screen.out()))
                .setErr(writer(screen.err()))
                .setColorScheme(CommandLine.Help.defaultColorScheme(screen.isColoured() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(Math.max(LEAST_WIDTH, Math.min(screen.width(), MOST_WIDTH)))
                .setUsageHelpLongOptionsMaxWidth(30)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setExpandAtFiles(false)
                .registerConverter(java.time.Duration.class, new DurationConverter())
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures);
    }

    /** Help is written by picocli, which does not look whether anybody gets it. */
    private static int checked(Screen screen, Failures failures, ParseResult parsed) {
        int code = new CommandLine.RunLast().execute(parsed);
        try {
            screen.checkWritten();
            return code;
        } catch (ReaderGoneException | UncheckedIOException lost) {
            return failures.handleExecutionException(lost, parsed.commandSpec().commandLine(), parsed);
        }
    }

    private static PrintWriter writer(java.io.PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** The version of the archive this class is in. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Holdfast.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "(not packaged)" : version)};
        }
    }
}
