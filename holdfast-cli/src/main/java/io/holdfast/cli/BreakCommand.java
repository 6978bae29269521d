package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockStatus;
import io.holdfast.cli.screen.Screen;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes a lock away from its holder. */
@Command(
        name = "break",
        description = {
            "Takes NAME away from its holders; the next one in line gets it at once. Asks first.",
            "",
            "A holder is told as soon as it can be reached, and at its next renewal at the latest. What it does until then, only a"
                    + " fence where the data is can refuse. Ends with 1 if there is nothing to break, or the answer was no."
        },
        mixinStandardHelpOptions = true)
final class BreakCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final NameOptions lock = new NameOptions();

    @Option(
            names = "--client",
            paramLabel = "ID",
            description = "Only what this client holds or waits for, as 'show' names it.")
    private @Nullable String client;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    BreakCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        try (LockClient locks = store.connect(screen)) {
            List<LockStatus> found = lock.find(locks).stream()
                    .filter(status -> !victims(status).isEmpty())
                    .toList();
            if (found.isEmpty()) {
                screen.line("nobody holds " + lock.shown()
                        + (client == null ? "" : " as client '" + Statuses.visible(client) + "'"));
                return ExitCodes.NO;
            }
            if (found.size() > 1) {
                throw new IllegalArgumentException(lock.shown() + " is used as "
                        + found.stream().map(each -> each.kind().name()).collect(Collectors.joining(" and "))
                        + "; say which with --kind");
            }
            return breakAll(locks, found.get(0));
        }
    }

    /** Somebody to take it from. */
    private record Victim(LockStatus.Claimant claimant, String text) {}

    private List<Victim> victims(LockStatus status) {
        List<Victim> holders = status.holders().stream()
                .map(each -> new Victim(
                        each, Statuses.who(each.client(), each.label()) + ", held for " + Statuses.heldFor(each)))
                .toList();
        if (client == null) {
            return holders;
        }
        return Stream.concat(
                        holders.stream(),
                        status.waiters().stream()
                                .filter(each -> each.claim() != 0) // behind their client's claim, and with it
                                .map(each -> new Victim(each, Statuses.who(each.client(), each.label()) + ", waiting")))
                .filter(each -> each.claimant().client().id().equals(client))
                .toList();
    }

    private int breakAll(LockClient locks, LockStatus status) {
        List<Victim> victims = victims(status);
        String what = Statuses.kind(status.kind()) + " " + lock.shown();
        if (!yes) {
            victims.forEach(each -> screen.errorText(what + ": " + each.text() + System.lineSeparator()));
            String next = status.waiters().isEmpty() ? "" : " (" + status.waiting() + " waiting)";
            if (!Question.isAnsweredYes(screen, "Take it away" + next + "?")) {
                screen.line("nothing was changed");
                return ExitCodes.NO;
            }
        }
        int broken = 0;
        for (Victim each : victims) {
            boolean known = locks.inspector().breakClaim(status, each.claimant());
            screen.line((known ? "taken: " : "already over: ") + what + " from " + each.text());
            broken += known ? 1 : 0;
        }
        return broken > 0 ? ExitCodes.OK : ExitCodes.NO;
    }
}
