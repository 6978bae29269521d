package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.databases.H2Database;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** {@link JdbcFence} on H2. */
class H2FenceContractTest extends JdbcFenceRaceContract {

    @Override
    TestDatabase start() throws SQLException {
        return H2Database.start();
    }

    @Test
    void enter_afterReading_readsGoOnFromBefore() throws Exception {
        String name = newCounter();
        Connection b = transaction();
        b.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        total(b, name);
        committed(connection -> {
            fence.enter(connection, name, 33, A);
            write(connection, name, 5);
            return true;
        });

        fence.enter(b, name, 34, B);

        assertThat(total(b, name)).as("why nothing is read before entering").isZero();
    }

    @Test
    void enter_afterReadingSerializably_serializationFailureIsPassedOn() throws Exception {
        String name = newCounter();
        enterCommitted(name, 33, A);
        Connection b = transaction();
        b.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        total(b, name);
        enterCommitted(name, 33, A);

        assertThatThrownBy(() -> fence.enter(b, name, 34, B))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }
}
