package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.MariaDbServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The oldest MariaDB that is promised: 10.6. */
@Tag("integration")
@Tag("full")
@Tag("ubuntu")
class OldestMariaDbContractTest extends BackendContract {
    @AutoClose
    private static MariaDbServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MariaDbServer.oldest();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
