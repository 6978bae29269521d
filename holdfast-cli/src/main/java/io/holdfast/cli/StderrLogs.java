package io.holdfast.cli;

import io.holdfast.cli.screen.Screen;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * What the library logs, as remarks on the error stream: warnings in one line each, everything with {@code --verbose}.
 */
public final class StderrLogs extends System.LoggerFinder {
    private static volatile boolean verbose;

    /** Called by the runtime. */
    public StderrLogs() {
        super();
    }

    static void setVerbose(boolean everything) {
        verbose = everything;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new StderrLogger(name);
    }

    private record StderrLogger(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            boolean said = name.equals("io.holdfast.leases"); // by the command, in its own words
            Level usual = !name.startsWith("io.holdfast") || said ? Level.ERROR : Level.WARNING;
            Level least = verbose && name.startsWith("io.holdfast") ? Level.DEBUG : usual;
            return level.getSeverity() >= least.getSeverity() && level != Level.OFF;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                String reason = thrown == null ? "" : ": " + thrown.getMessage();
                System.err.println("holdfast: " + Screen.visible((message + reason).replaceAll("\\s*\\R\\s*", "; ")));
                if (verbose && thrown != null) {
                    System.err.print(Screen.visibleTrace(thrown));
                }
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... params) {
            boolean plain = format == null || params == null || params.length == 0;
            log(level, bundle, plain ? format : MessageFormat.format(format, params), (Throwable) null);
        }
    }
}
