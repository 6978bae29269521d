package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** What clients say of who waits in them: one more row for each in the table of clients, for a few seconds. */
final class WaitRecords {
    private WaitRecords() {}

    /** No client has such an id. */
    private static String id(String client) {
        return "waits:" + client;
    }

    static boolean publish(KeptConnection connection, WaitRecord record) throws SQLException {
        if (record.suspects().isEmpty()) {
            return connection
                            .call("forgetClient")
                            .with("client", id(record.client()))
                            .update()
                    == 1;
        }
        return fill(connection.call("introduceUpdate"), record).update() == 1
                || fill(connection.call("introduceInsert"), record).update() == 1;
    }

    private static KeptConnection.Call fill(KeptConnection.Call call, WaitRecord record) throws SQLException {
        return call.with("client", id(record.client()))
                .with("host", "")
                .with("pid", 0L)
                .with("name", "")
                .with("lines", WaitText.of(record).getBytes(StandardCharsets.UTF_8));
    }

    static Optional<String> read(KeptConnection connection, String client) throws SQLException {
        try (ResultSet rows =
                connection.call("waitsOf").with("client", id(client)).query()) {
            return rows.next() ? Optional.of(new String(rows.getBytes(1), StandardCharsets.UTF_8)) : Optional.empty();
        }
    }
}
