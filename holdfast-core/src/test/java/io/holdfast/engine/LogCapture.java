package io.holdfast.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Reads what the engine logs, and keeps it off the console. */
final class LogCapture extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.holdfast");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    LogCapture() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    List<LogRecord> warnings() {
        return records.stream()
                .filter(each -> each.getLevel().intValue() >= Level.WARNING.intValue())
                .toList();
    }

    List<String> messages() {
        return warnings().stream().map(LogRecord::getMessage).toList();
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
        logger.setUseParentHandlers(true);
    }
}
