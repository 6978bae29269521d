package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.MySqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on the newest MySQL with MySQL's driver. */
@Tag("integration")
@Tag("full")
class MySqlContractTest extends BackendContract {
    @AutoClose
    private static MySqlServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MySqlServer.newest();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
