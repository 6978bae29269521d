package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.database.Dialect;
import io.holdfast.testing.databases.H2Database;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.MySqlServer;
import io.holdfast.testing.databases.PostgresServer;
import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the other tests call the oldest version is the one that is promised, and nothing older is. */
@Tag("integration")
@Tag("full")
class OldestVersionsTest {

    private static void assertIsPromised(TestDatabase database) throws Exception {
        try (database;
                Connection connection = database.connect()) {
            DatabaseMetaData about = connection.getMetaData();
            assertThat(about.getDatabaseProductName()).isEqualTo(database.toString());
            assertThat(List.of(about.getDatabaseMajorVersion(), about.getDatabaseMinorVersion()))
                    .as(about.getDatabaseProductVersion())
                    .isEqualTo(Dialect.of(connection).leastVersion(about.getDatabaseProductName()));
        }
    }

    @Test
    void postgres_isPromised() throws Exception {
        assertIsPromised(PostgresServer.oldest());
    }

    @Test
    @Tag("ubuntu")
    void mySql_isPromised() throws Exception {
        assertIsPromised(MySqlServer.oldest());
    }

    @Test
    @Tag("ubuntu")
    void mariaDb_isPromised() throws Exception {
        assertIsPromised(MariaDbServer.oldest());
    }

    @Test
    void h2_isPromised() throws Exception {
        assertIsPromised(H2Database.oldest());
    }
}
