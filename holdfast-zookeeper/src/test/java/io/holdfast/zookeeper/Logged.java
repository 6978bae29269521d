package io.holdfast.zookeeper;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the backend logs, warnings and worse. */
final class Logged extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.holdfast.zookeeper");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    Logged() {
        logger.addHandler(this);
    }

    /** Those of a level that contain a text. */
    List<String> of(Level level, String text) {
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
