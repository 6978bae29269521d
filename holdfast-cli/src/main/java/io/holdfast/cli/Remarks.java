package io.holdfast.cli;

import io.holdfast.cli.screen.Screen;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Remarks that nobody waits for. The error stream may be a pipe that nobody reads, or a terminal that was stopped with
 * Ctrl-S; what has to happen when a lock is lost happens all the same.
 */
final class Remarks {
    private static final long PATIENCE_MILLIS = 500;

    private final Screen screen;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "holdfast-remarks");
        thread.setDaemon(true);
        return thread;
    });

    Remarks(Screen screen) {
        this.screen = screen;
    }

    /** One line, after those before it. */
    void say(String text) {
        writer.execute(() -> screen.note(text));
    }

    /** Waits a moment until all was said. Nothing can be said afterwards. */
    void finish() {
        writer.shutdown();
        try {
            writer.awaitTermination(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
