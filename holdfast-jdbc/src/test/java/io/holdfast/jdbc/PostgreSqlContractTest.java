package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on PostgreSQL, where waiting clients get messages. */
@Tag("integration")
class PostgreSqlContractTest extends BackendContract {
    private static PostgresServer database;

    @BeforeAll
    static void start() {
        database = PostgresServer.start();
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
