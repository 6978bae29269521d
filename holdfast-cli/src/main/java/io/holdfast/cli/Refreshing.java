package io.holdfast.cli;

import io.holdfast.DurationText;
import io.holdfast.LockException;
import io.holdfast.cli.screen.LiveLines;
import io.holdfast.cli.screen.Screen;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Shows something again and again, until Ctrl-C. An outage is shown, and over when it is over. */
final class Refreshing {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private final Screen screen;
    private final Duration interval;

    Refreshing(Screen screen, Duration interval) {
        this.screen = screen;
        this.interval = interval;
    }

    static void checkInterval(Duration interval) {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException("--interval is " + DurationText.of(interval) + ", expected at least "
                    + DurationText.of(SHORTEST_INTERVAL));
        }
    }

    /** One text per line, each time. */
    void lines(Supplier<String> text) throws InterruptedException {
        while (true) {
            try {
                screen.line(text.get());
            } catch (LockException outage) {
                screen.note(String.valueOf(outage.getMessage()));
            }
            Thread.sleep(interval.toMillis());
        }
    }

    /** The same place of the screen, if it is a terminal. */
    void table(Supplier<List<String>> table) throws InterruptedException {
        try (LiveLines live = screen.live()) {
            while (true) {
                List<String> shown;
                try {
                    shown = table.get();
                } catch (LockException outage) {
                    shown = List.of(
                            screen.styled(Screen.Style.RED, Screen.visible(String.valueOf(outage.getMessage()))));
                }
                show(live, shown);
                Thread.sleep(interval.toMillis());
            }
        }
    }

    private void show(LiveLines live, List<String> table) {
        List<String> lines = new ArrayList<>();
        lines.add(screen.styled(
                Screen.Style.DIM,
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + ", Ctrl-C ends this"));
        lines.addAll(table);
        if (screen.isTerminal()) {
            live.show(lines);
        } else {
            lines.forEach(screen::line);
            screen.line("");
        }
    }
}
