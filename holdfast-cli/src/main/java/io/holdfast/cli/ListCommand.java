package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockStatus;
import io.holdfast.cli.screen.Json;
import io.holdfast.cli.screen.Screen;
import io.holdfast.cli.screen.Table;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who holds what, now or all the time. */
@Command(
        name = "ls",
        aliases = "list",
        description = "Lists what is held or waited for: who has it, for how long, until when, with which token.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    private static final int HOLDER_COLUMN = 2;
    private static final int TOKEN_COLUMN = 5;

    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME…",
            defaultValue = "",
            description = "How the names begin; all if left out.")
    private String namePrefix = "";

    @Option(names = "--watch", description = "Again and again, until Ctrl-C.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "How often with --watch. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--json", description = "One JSON array; with --watch, one per line.")
    private boolean json;

    ListCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws InterruptedException {
        Refreshing.checkInterval(interval);
        try (LockClient locks = store.connect(screen)) {
            Refreshing refreshing = new Refreshing(screen, interval);
            if (watch && json) {
                refreshing.lines(() -> asJson(locks));
            } else if (watch) {
                refreshing.table(() -> table(Statuses.list(locks, namePrefix)));
            } else if (json) {
                screen.line(asJson(locks));
            } else {
                table(Statuses.list(locks, namePrefix)).forEach(screen::line);
            }
        }
        return ExitCodes.OK;
    }

    private String asJson(LockClient locks) {
        return Json.text(
                Statuses.list(locks, namePrefix).stream().map(Statuses::json).toList());
    }

    private List<String> table(List<LockStatus> all) {
        if (all.isEmpty()) {
            return List.of(
                    namePrefix.isEmpty()
                            ? "nobody holds or waits for anything"
                            : "nobody holds or waits for anything that begins with '" + Statuses.visible(namePrefix)
                                    + "'");
        }
        Table table = new Table(screen, "NAME", "KIND", "HOLDER", "HELD", "LEFT", "TOKEN", "WAITERS");
        all.forEach(status -> rows(table, status));
        int width = screen.width() - 1;
        return screen.isTerminal()
                ? table.without(TOKEN_COLUMN, width)
                        .shorten(HOLDER_COLUMN, width)
                        .lines()
                : table.lines();
    }

    private void rows(Table table, LockStatus status) {
        String name = screen.styled(Screen.Style.CYAN, Statuses.visible(status.name()));
        String waiters = String.valueOf(status.waiting());
        if (status.holders().isEmpty()) {
            table.row(name, Statuses.kind(status.kind()), "-", "-", "-", "-", waiters);
        }
        status.holders()
                .forEach(holder -> table.row(
                        name,
                        Statuses.share(status, holder),
                        Statuses.who(holder.client(), holder.label()),
                        Statuses.heldFor(holder),
                        DurationConverter.shown(holder.left()),
                        String.valueOf(holder.token()),
                        waiters));
    }
}
