package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The rules for every store, on MariaDB, where waiting clients ask. For the profile "full"; {@link
 * MariaDbStoreContractTest} always runs, and what breaks databases on each of them.
 */
@Tag("integration")
@Tag("full")
class MariaDbContractTest extends BackendContract {
    private static MariaDbServer database;

    @BeforeAll
    static void start() throws Exception {
        database = MariaDbServer.start();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
