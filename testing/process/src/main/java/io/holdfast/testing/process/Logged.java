package io.holdfast.testing.process;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a logger is told while this is open, warnings and worse. */
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
                .map(each -> MessageFormat.format(each.getMessage(), each.getParameters()))
                .filter(each -> each.contains(text))
                .toList();
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            records.add(record);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
