package io.holdfast.comparison;

import io.holdfast.testing.databases.MariaDbServer;
import java.sql.SQLException;

/** MariaDB, which counts the requests of clients by itself. */
final class MariaDbStore extends DatabaseStore {
    private final MariaDbServer server;

    MariaDbStore() throws SQLException {
        this(MariaDbServer.durable());
    }

    private MariaDbStore(MariaDbServer server) {
        super(server.url(), new String[] {springTable("DATETIME(6)", " ENGINE=InnoDB"), shedLockTable("TIMESTAMP(3)")});
        this.server = server;
    }

    @Override
    long pid() {
        return server.pid();
    }

    @Override
    long requests() {
        return Long.parseLong(single("SHOW GLOBAL STATUS LIKE 'Questions'", 2));
    }

    @Override
    public void close() {
        server.close();
    }
}
