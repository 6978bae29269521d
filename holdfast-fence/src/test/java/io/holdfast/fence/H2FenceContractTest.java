package io.holdfast.fence;

import io.holdfast.testing.databases.H2Database;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.SQLException;

/** {@link JdbcFence} on H2. */
class H2FenceContractTest extends JdbcFenceRaceContract {

    @Override
    TestDatabase start() throws SQLException {
        return H2Database.start();
    }
}
