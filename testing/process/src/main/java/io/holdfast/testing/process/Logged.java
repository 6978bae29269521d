package io.holdfast.testing.process;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a logger is told while this is open. */
public final class Logged extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    /**
     * Begins to listen.
     *
     * @param name of the logger
     */
    public Logged(String name) {
        this.logger = Logger.getLogger(name);
        logger.addHandler(this);
    }

    /**
     * Those of a level that contain a text.
     *
     * @param level exactly this one
     * @param text somewhere in the message
     * @return the messages, the oldest first
     */
    public List<String> of(Level level, String text) {
        return records.stream()
                .filter(each -> each.getLevel().equals(level))
                .map(Logged::text)
                .filter(each -> each.contains(text))
                .toList();
    }

    /**
     * All of them, whatever their level.
     *
     * @return the messages, the oldest first
     */
    public List<String> all() {
        return records.stream().map(Logged::text).toList();
    }

    private static String text(LogRecord record) {
        Object[] parameters = record.getParameters();
        return parameters == null || parameters.length == 0
                ? record.getMessage()
                : MessageFormat.format(record.getMessage(), parameters);
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
