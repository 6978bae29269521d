package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.CapacityContract;
import io.holdfast.tck.LineContract;
import io.holdfast.tck.RaceContract;
import io.holdfast.tck.StoreContract;
import io.holdfast.testing.databases.MariaDbServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What the statements do on MariaDB. The engine above them does not know which database it is. */
@Tag("integration")
class MariaDbStoreContractTest extends StoreContract {
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

    @Nested
    class Line extends LineContract {
        @Override
        protected BackendFixture newFixture() {
            return MariaDbStoreContractTest.this.newFixture();
        }
    }

    @Nested
    class Capacity extends CapacityContract {
        @Override
        protected BackendFixture newFixture() {
            return MariaDbStoreContractTest.this.newFixture();
        }
    }

    @Nested
    class Race extends RaceContract {
        @Override
        protected BackendFixture newFixture() {
            return MariaDbStoreContractTest.this.newFixture();
        }
    }
}
