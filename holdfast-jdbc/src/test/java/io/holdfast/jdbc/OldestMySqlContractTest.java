package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.MySqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The oldest MySQL that is promised: 8.0. */
@Tag("integration")
@Tag("full")
@Tag("ubuntu")
class OldestMySqlContractTest extends BackendContract {
    @AutoClose
    private static MySqlServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MySqlServer.oldest();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
