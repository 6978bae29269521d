package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link JdbcFence} on MariaDB, with the statements that MySQL gets too. */
@Tag("integration")
class MariaDbFenceContractTest extends JdbcFenceRaceContract {

    @Override
    TestDatabase start() throws SQLException {
        return MariaDbServer.start();
    }

    @Test
    void enter_driverCountsChangedRowsOnly_decidesTheSame() throws Exception {
        String name = newName();
        Connection connection = transaction(((MariaDbServer) database()).connect("useAffectedRows=true"));

        fence.enter(connection, name, 33, A);
        fence.enter(connection, name, 33, A);
        fence.enter(connection, name, 34, B);
        connection.commit();

        assertThatThrownBy(() -> fence.enter(connection, name, 33, A)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.enter(connection, name, 34, A)).isInstanceOf(StaleTokenException.class);
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
}
