package io.holdfast.cli;

import io.holdfast.DurationText;
import io.holdfast.Fairness;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.cli.screen.Screen;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command under a lock. */
@Command(
        name = "run",
        description = {
            "Runs a command under a lock: flock for a fleet.",
            "Waits for the lock NAME, runs the command, gives the lock back, and ends with the command's exit code."
        },
        customSynopsis = "holdfast run NAME [OPTIONS] -- COMMAND [ARGUMENTS]",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Kinds: a plain lock, a read-write lock (--shared, --exclusive) and a semaphore (--permits) of one name are"
                    + " three things that do not exclude each other. If NAME is in use as another kind, run refuses;"
                    + " that is a check before the lock is taken and no guarantee.",
            "",
            "If the lock is lost, the command and its descendants get TERM, and KILL after --grace; also when holdfast"
                    + " itself is killed. What the command leaves behind in the background is not waited for and not"
                    + " under the lock.",
            "",
            "The command sees HOLDFAST_NAME, HOLDFAST_TOKEN (greater than those before: for a fence),"
                    + " HOLDFAST_LEASE_UNTIL (as of its start; the lease is renewed as long as it runs) and HOLDFAST_URL"
                    + " with its password, if there is one, so that holdfast commands in it use the same store. It has"
                    + " our input, output and error stream, and no other descriptor.",
            "",
            "Signals: INT, TERM, HUP, USR1, USR2, WINCH and CONT are passed on. What is typed, Ctrl-C for"
                    + " instance, reaches the command from the terminal itself, so an INT that kill sends to a holdfast in the"
                    + " foreground is not passed on: send TERM. QUIT is the JVM's and is not passed on. After Ctrl-Z the lock is lost when its"
                    + " lease ends; fg then ends the command. While there is no command, before its start and after its end, INT, TERM and"
                    + " HUP end holdfast within 3s even if the store does not answer, and a second one at once.",
            "",
            "Exit codes: the command's own, 128 + n if signal n ended it; 64 bad usage; 69 the store cannot be used;"
                    + " 75 somebody else has the lock; 76 the lock was lost; 126 the command cannot be run; 127 there is no"
                    + " such command."
        })
final class RunCommand implements Callable<Integer> {
    private static final int LONGEST_LABEL = 100;
    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(30);
    private static final Duration LONGEST_GRACE = Duration.ofDays(1);

    private final Screen screen;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(hidden = true)
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "How long to wait for the lock; 0s is one try. Default: for ever.")
    private @Nullable Duration wait;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description =
                    "After this time others get the lock if this machine crashes; on ZooKeeper after its session,"
                            + " half as long again and 12s at least. Renewed at every third. Default: 30s, on ZooKeeper what a session of 40s carries.")
    private @Nullable Duration lease;

    @Option(names = "--shared", description = "Take NAME as a read-write lock, together with others who say so.")
    private boolean shared;

    @Option(names = "--exclusive", description = "Take NAME as a read-write lock, alone.")
    private boolean exclusive;

    @Option(
            names = "--permits",
            paramLabel = "K/N",
            description = "Take K of the N permits of NAME, a semaphore. N is the same for all.")
    private @Nullable String permits;

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "Who has it, for people who look. Default: the command line, so put no secret there.")
    private @Nullable String label;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "From TERM to KILL when the lock is lost. Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ofSeconds(10);

    @Mixin
    private final StoreOptions store = new StoreOptions();

    RunCommand(Screen screen) {
        this.screen = screen;
    }

    /**
     * How it is read: what is no option of ours may be the command's; we say ourselves what is wrong with it.
     */
    static CommandLine line(Screen screen) {
        return new CommandLine(new RunCommand(screen)).setUnmatchedOptionsArePositionalParams(true);
    }

    @Override
    public Integer call() throws IOException {
        CommandLine line = spec.commandLine();
        CommandWords asked = CommandWords.of(line, ownArgs(line), words);
        Wanted wanted = wanted();
        LockOptions options = LockOptions.defaults()
                .fairness(Fairness.FIFO)
                .lease(Objects.requireNonNullElse(lease, LockOptions.DEFAULT_LEASE))
                .waitThroughOutages(longestOutage())
                .label(label == null ? labelOf(asked) : label);
        if (grace.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException("--grace is " + DurationText.of(grace) + ", expected at most 24h");
        }
        Program.check(asked.command().get(0), System.getenv("PATH"));
        Store opened = store.store(screen, longestOutage(), lease);
        if (lease != null || !(opened instanceof ZooKeeperStore)) {
            StoreOptions.checkLease(options.lease(), opened);
        }
        Remarks remarks = new Remarks(screen);
        try (LockClient locks = opened.connect()) {
            wanted.refuseOtherKinds(locks.inspector(), asked.name());
            return new Run(remarks, locks, wanted, asked, options, grace, opened.environment()).call(wait);
        } finally {
            remarks.finish();
        }
    }

    /** How long a store may be away: one that is started again must not end every command that waits for it. */
    private Duration longestOutage() {
        return wait == null || wait.compareTo(LONGEST_OUTAGE) > 0 ? LONGEST_OUTAGE : wait;
    }

    private static List<String> ownArgs(CommandLine line) {
        List<String> all = line.getParent().getParseResult().originalArgs();
        return all.subList(all.indexOf(line.getCommandName()) + 1, all.size());
    }

    private Wanted wanted() {
        if ((shared ? 1 : 0) + (exclusive ? 1 : 0) + (permits == null ? 0 : 1) > 1) {
            throw new IllegalArgumentException("of --shared, --exclusive and --permits only one can be meant");
        }
        return permits != null
                ? Wanted.permits(permits)
                : shared ? Wanted.SHARED : exclusive ? Wanted.EXCLUSIVE : Wanted.LOCK;
    }

    /** The command line, as long as a person wants to read it. */
    static String labelOf(CommandWords asked) {
        StringBuilder text = new StringBuilder();
        String.join(" ", asked.command())
                .codePoints()
                .limit(LONGEST_LABEL + 1)
                .forEach(each -> text.appendCodePoint(Character.isISOControl(each) ? ' ' : each));
        boolean isWhole = text.length() <= LONGEST_LABEL;
        int end = isWhole ? text.length() : text.offsetByCodePoints(0, text.codePointCount(0, LONGEST_LABEL) - 1);
        return isWhole ? text.toString() : text.substring(0, end) + "…";
    }
}
