package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.H2Database;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The oldest H2 that is promised: 2.0. */
@Tag("integration")
@Tag("full")
class OldestH2ContractTest extends BackendContract {
    @AutoClose
    private static H2Database database;

    @BeforeAll
    static void start() throws Exception {
        database = H2Database.oldest();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(database);
    }
}
