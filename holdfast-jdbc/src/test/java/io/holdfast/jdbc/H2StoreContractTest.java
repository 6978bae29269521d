package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.H2Database;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The statements on H2 in memory. */
@Tag("integration")
class H2StoreContractTest extends StatementsContract {
    @AutoClose
    private static H2Database database;

    @BeforeAll
    static void start() throws Exception {
        database = H2Database.start();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
