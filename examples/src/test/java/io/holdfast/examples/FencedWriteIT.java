package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The example of the fence, on a real PostgreSQL. */
class FencedWriteIT {

    @Test
    void main_onPostgres_keepsWhatTheNextHolderWrote() throws SQLException {
        try (PostgresServer server = PostgresServer.start()) {
            FencedWrite.main(new String[] {server.url()});

            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement();
                    ResultSet account = statement.executeQuery("SELECT balance FROM account")) {
                assertThat(account.next()).isTrue();
                assertThat(account.getInt(1)).isEqualTo(80);
            }
        }
    }
}
