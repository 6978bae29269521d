package io.holdfast.jdbc;

import io.holdfast.tck.BackendFixture;
import io.holdfast.tck.CapacityContract;
import io.holdfast.tck.LineContract;
import io.holdfast.tck.RaceContract;
import io.holdfast.tck.StoreContract;
import org.junit.jupiter.api.Nested;

/** What the statements do on a database. The engine above them does not know which database it is. */
abstract class StatementsContract extends StoreContract {
    @Nested
    class Line extends LineContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return StatementsContract.this.newFixture();
        }
    }

    @Nested
    class Capacity extends CapacityContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return StatementsContract.this.newFixture();
        }
    }

    @Nested
    class Race extends RaceContract {
        @Override
        protected BackendFixture newFixture() throws Exception {
            return StatementsContract.this.newFixture();
        }
    }
}
