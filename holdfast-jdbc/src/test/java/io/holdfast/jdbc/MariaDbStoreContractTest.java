package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.MariaDbServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The statements on MariaDB. */
@Tag("integration")
class MariaDbStoreContractTest extends StatementsContract {
    @AutoClose
    private static MariaDbServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MariaDbServer.start();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
