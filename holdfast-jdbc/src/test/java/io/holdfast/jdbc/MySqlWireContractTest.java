package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.WireContract;
import io.holdfast.testing.databases.MySqlServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What a wire loses and holds, on MySQL; the other rules have their class. */
@Tag("integration")
@Tag("full")
class MySqlWireContractTest extends WireContract {
    @AutoClose
    private static MySqlServer database;

    @BeforeAll
    static void start() throws SQLException {
        database = MySqlServer.newest();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
