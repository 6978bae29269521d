package io.holdfast.testing.databases;

import java.sql.Connection;
import java.sql.SQLException;

/** An empty database that lives as long as a test wants it. Thread-safe. */
public interface TestDatabase extends AutoCloseable {

    /** A connection of its own, with auto-commit on. The caller closes it. */
    Connection connect() throws SQLException;

    /** Ends the database; its data is gone. */
    @Override
    void close();
}
