package io.holdfast.cli;

import io.holdfast.Deadlock;
import io.holdfast.LockClient;
import io.holdfast.cli.screen.Json;
import io.holdfast.cli.screen.Screen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who waits for whom in a circle, now or all the time. */
@Command(
        name = "deadlocks",
        description = {
            "Shows who waits for each other in a circle, across all processes. Ends with 1 if there is such a circle.",
            "",
            "It answers at once if there is nothing to suspect, and otherwise when it is sure, after some seconds."
        },
        mixinStandardHelpOptions = true)
final class DeadlocksCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--watch", description = "Again and again, until Ctrl-C.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "How long to pause with --watch. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--json", description = "One JSON array; with --watch, one per line.")
    private boolean json;

    DeadlocksCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() throws InterruptedException {
        Refreshing.checkInterval(interval);
        try (LockClient locks = store.connect(screen)) {
            Refreshing refreshing = new Refreshing(screen, interval);
            if (watch && json) {
                refreshing.lines(() -> asJson(locks.inspector().deadlocks()));
            } else if (watch) {
                refreshing.table(() -> asLines(locks.inspector().deadlocks()));
            }
            List<Deadlock> found = locks.inspector().deadlocks();
            if (json) {
                screen.line(asJson(found));
            } else {
                asLines(found).forEach(screen::line);
            }
            return found.isEmpty() ? ExitCodes.OK : ExitCodes.NO;
        }
    }

    private static String asJson(List<Deadlock> found) {
        return Json.text(found.stream().map(Deadlocks::json).toList());
    }

    private List<String> asLines(List<Deadlock> found) {
        if (found.isEmpty()) {
            return List.of("nobody waits in a circle");
        }
        List<String> lines = new ArrayList<>();
        found.forEach(each -> lines.addAll(Deadlocks.lines(screen, each)));
        return lines;
    }
}
