package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** {@link JdbcFence} on PostgreSQL. */
class PostgresFenceContractTest extends JdbcFenceRaceContract {

    @Override
    TestDatabase start() {
        return PostgresServer.start();
    }

    @Test
    void enter_snapshotOlderThanTheFence_serializationFailureIsPassedOn() throws Exception {
        String name = newCounter();
        enterCommitted(name, 33, A);
        Connection b = transaction();
        b.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        total(b, name);
        enterCommitted(name, 33, A);

        assertThatThrownBy(() -> fence.enter(b, name, 34, B))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }
}
