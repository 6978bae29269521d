package io.holdfast.jdbc;

import io.holdfast.tck.BackendContract;
import io.holdfast.tck.BackendFixture;
import io.holdfast.testing.databases.PgBouncer;
import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The rules for every store, on PostgreSQL behind a pooler that gives each statement another connection. */
@Tag("integration")
@Tag("full")
class PgBouncerContractTest extends BackendContract {
    private static PostgresServer database;
    private static PgBouncer pooler;

    @BeforeAll
    static void start() {
        database = PostgresServer.start();
        pooler = PgBouncer.start(database, 10);
    }

    @AfterAll
    static void stop() {
        pooler.close();
        database.close();
    }

    @Override
    protected BackendFixture newFixture() {
        return new JdbcFixture(pooler);
    }
}
