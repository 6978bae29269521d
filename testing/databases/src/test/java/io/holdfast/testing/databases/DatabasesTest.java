package io.holdfast.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each database starts, is the product that its name says, has its data for itself, and ends. */
@Tag("integration")
class DatabasesTest {

    private static void assertWorks(TestDatabase database) throws SQLException {
        try (database;
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo(database.toString());
            statement.execute("CREATE TABLE t (n BIGINT)");
            statement.execute("INSERT INTO t VALUES (42)");
            try (Connection other = database.connect();
                    ResultSet rows = other.createStatement().executeQuery("SELECT n FROM t")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(1)).isEqualTo(42);
            }
        }
    }

    @Test
    void h2_works() throws SQLException {
        assertWorks(H2Database.start());
    }

    @Test
    void postgres_worksAndEnds() throws SQLException {
        PostgresServer server = PostgresServer.start();
        assertWorks(server);
        assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
    }

    @Test
    void mariaDb_worksAndEnds() throws SQLException {
        MariaDbServer server = MariaDbServer.start();
        assertWorks(server);
        assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
    }
}
