package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link JdbcFence} on PostgreSQL, which notices when a transaction looks at what was before somebody else entered. */
@Tag("integration")
class PostgresFenceContractTest extends JdbcFenceRaceContract {

    @Override
    TestDatabase start() {
        return PostgresServer.start();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void enter_readBeforeTheSameHolderCameAgain_serializationFailureIsPassedOn(int isolation) throws Exception {
        String name = newCounter();
        enterCommitted(name, 33, A);
        Connection b = transaction();
        b.setTransactionIsolation(isolation);
        assertThat(total(b, name)).isZero();
        committed(connection -> {
            fence.enter(connection, name, 33, A);
            write(connection, name, 5);
            return true;
        });

        assertSerializationFailure(b, name);
    }

    @Test
    void enter_readBeforeTheFirstEntry_serializationFailureIsPassedOn() throws Exception {
        String name = newCounter();
        Connection b = transaction();
        b.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(total(b, name)).isZero();
        enterCommitted(name, 33, A);

        assertSerializationFailure(b, name);
    }

    private void assertSerializationFailure(Connection connection, String name) {
        assertThatThrownBy(() -> fence.enter(connection, name, 34, B))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    }
}
