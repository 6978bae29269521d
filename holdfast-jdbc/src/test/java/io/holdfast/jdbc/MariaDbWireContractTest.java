package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.WireContract;
import io.holdfast.testing.databases.MariaDbServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What a wire loses and holds, on MariaDB; the other rules have their class. */
@Tag("integration")
@Tag("full")
class MariaDbWireContractTest extends WireContract {
    @AutoClose
    private static MariaDbServer database;

    @BeforeAll
    static void start() throws SQLException {
        database = MariaDbServer.start();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
