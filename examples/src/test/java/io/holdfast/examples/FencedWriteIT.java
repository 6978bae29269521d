package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of the fence, on a real PostgreSQL. */
@Tag("integration")
class FencedWriteIT {
    @RegisterExtension
    private final Printed printed = new Printed();

    @Test
    void main_onPostgres_keepsWhatTheNextHolderWroteAndLeavesNoTable() throws SQLException {
        try (PostgresServer server = PostgresServer.start()) {
            FencedWrite.main(new String[] {server.url()});

            assertThat(printed.lines()).endsWith("slow is refused", "balance: 80");
            try (Connection connection = server.connect();
                    ResultSet tables = connection.getMetaData().getTables(null, null, "holdfast_example%", null)) {
                assertThat(tables.next()).isFalse();
            }
        }
    }
}
