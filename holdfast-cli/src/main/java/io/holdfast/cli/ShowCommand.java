package io.holdfast.cli;

import io.holdfast.Deadlock;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.cli.screen.Json;
import io.holdfast.cli.screen.Screen;
import io.holdfast.cli.screen.Table;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One name, with everybody who holds it and the line in its order. */
@Command(
        name = "show",
        description =
                "Shows who holds NAME and who waits for it and for how long, the next one first, and whether that is a"
                        + " deadlock. Ends with 1 if nobody does.",
        mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final NameOptions lock = new NameOptions();

    @Option(names = "--json", description = "One JSON array.")
    private boolean json;

    ShowCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        try (LockClient locks = store.connect(screen)) {
            List<LockStatus> found = lock.find(locks);
            List<Deadlock> deadlocks =
                    found.stream().anyMatch(status -> !status.waiters().isEmpty())
                            ? locks.inspector().deadlocks()
                            : List.of();
            if (json) {
                screen.line(Json.text(
                        found.stream().map(status -> json(status, deadlocks)).toList()));
            } else if (found.isEmpty()) {
                screen.line("nobody holds or waits for " + lock.shown());
            } else {
                found.forEach(status -> {
                    print(status);
                    about(status, deadlocks)
                            .forEach(each -> Deadlocks.lines(screen, each).forEach(screen::line));
                });
            }
            return found.isEmpty() ? ExitCodes.NO : ExitCodes.OK;
        }
    }

    private static List<Deadlock> about(LockStatus status, List<Deadlock> deadlocks) {
        return deadlocks.stream()
                .filter(each -> Deadlocks.isAbout(each, status.kind(), status.name()))
                .toList();
    }

    private static Map<String, Object> json(LockStatus status, List<Deadlock> deadlocks) {
        Map<String, Object> fields = Statuses.json(status);
        fields.put(
                "deadlocks",
                about(status, deadlocks).stream().map(Deadlocks::json).toList());
        return fields;
    }

    private void print(LockStatus status) {
        screen.line(screen.styled(Screen.Style.CYAN, Statuses.visible(status.name())) + ", "
                + Statuses.kind(status.kind())
                + (status.capacity() > 1 && status.kind() != LockKind.READ_WRITE ? " of " + status.capacity() : ""));
        Table holders = new Table(screen, "HOLDER", "SHARE", "HELD", "LEFT", "TOKEN", "CLIENT", "CLAIM");
        status.holders()
                .forEach(holder -> holders.row(
                        Statuses.who(holder.client(), holder.label()),
                        Statuses.share(status, holder),
                        Statuses.heldFor(holder),
                        DurationConverter.shown(holder.left()),
                        String.valueOf(holder.token()),
                        holder.client().id(),
                        String.valueOf(holder.claim())));
        if (status.holders().isEmpty()) {
            screen.line("nobody holds it");
        } else {
            holders.lines().forEach(screen::line);
        }
        if (!status.waiters().isEmpty()) {
            Table line = new Table(screen, "PLACE", "WAITER", "WANTS", "WAITS", "CLIENT", "CLAIM");
            int place = 1;
            for (LockStatus.Waiter waiter : status.waiters()) {
                line.row(
                        String.valueOf(place),
                        Statuses.who(waiter.client(), waiter.label()),
                        String.valueOf(waiter.weight()),
                        Statuses.waitsFor(waiter),
                        waiter.client().id(),
                        waiter.claim() == 0 ? "-" : String.valueOf(waiter.claim()));
                place += waiter.threads();
            }
            line.lines().forEach(screen::line);
        }
    }
}
