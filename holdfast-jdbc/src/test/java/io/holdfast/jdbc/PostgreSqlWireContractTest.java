package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on PostgreSQL, with a wire before it that loses and holds what is sent. */
@Tag("integration")
@Tag("full")
class PostgreSqlWireContractTest extends BackendContract {
    @AutoClose
    private static PostgresServer database;

    @BeforeAll
    static void start() {
        database = PostgresServer.start();
    }

    @Override
    protected BackendFixture newFixture() {
        return JdbcFixture.wired(database);
    }
}
