package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The oldest PostgreSQL that is promised: 12; and the only one whose wire is broken by the kit. */
@Tag("integration")
@Tag("full")
class OldestPostgreSqlContractTest extends BackendContract {
    @AutoClose
    private static PostgresServer database;

    @BeforeAll
    static void start() throws Exception {
        database = PostgresServer.oldest();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
