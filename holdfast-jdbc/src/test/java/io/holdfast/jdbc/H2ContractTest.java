package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.H2Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on H2 in memory. For the profile "full"; {@link H2StoreContractTest} always runs. */
@Tag("integration")
@Tag("full")
class H2ContractTest extends BackendContract {
    private static H2Database database;

    @BeforeAll
    static void start() throws Exception {
        database = H2Database.start();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
