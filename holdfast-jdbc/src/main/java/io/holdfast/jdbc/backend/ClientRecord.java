package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientLines;
import io.holdfast.spi.ClientView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The row that says who a client is, and what the lock table cannot show of its own lines: for people. */
final class ClientRecord {
    private static final int MOST_ID = 64;

    private final String clientId;
    private final ClientView client;

    ClientRecord(String clientId, String name) {
        this.clientId = clientId;
        this.client = ClientView.ofThisProcess(name);
    }

    /** Writes the row, or that the client still lives. */
    boolean write(KeptConnection connection, byte[] lines) throws SQLException {
        return fill(connection.call("introduceUpdate"), lines).update() == 1
                || fill(connection.call("introduceInsert"), lines).update() == 1;
    }

    private KeptConnection.Call fill(KeptConnection.Call call, byte[] lines) throws SQLException {
        return call.with("client", clientId)
                .with("host", client.host())
                .with("pid", client.pid())
                .with("name", client.name())
                .with("lines", lines);
    }

    void remove(KeptConnection connection) throws SQLException {
        connection.call("forgetClient").with("client", clientId).update();
    }

    /**
     * Says for a minute that a claim was revoked: a row that looks like a client's and is cleaned up as those are. An
     * identity that fits nowhere is not remembered.
     */
    static boolean revoked(KeptConnection connection, ClaimId claim) throws SQLException {
        String id = revokedId(claim);
        return id.length() <= MOST_ID && new ClientRecord(id, "").write(connection, new byte[0]);
    }

    static boolean isRevoked(KeptConnection connection, ClaimId claim) throws SQLException {
        return read(connection, revokedId(claim)).isPresent();
    }

    private static String revokedId(ClaimId claim) {
        return "revoked:" + claim.client() + ':' + claim.sequence();
    }

    static Optional<ClientView> read(KeptConnection connection, String client) throws SQLException {
        try (ResultSet rows = connection.call("whoIs").with("client", client).query()) {
            return rows.next()
                    ? Optional.of(new ClientView(rows.getString(1), rows.getLong(2), rows.getString(3), lines(rows)))
                    : Optional.empty();
        }
    }

    /** The clients that were seen in the last minute. */
    static List<String> all(KeptConnection connection) throws SQLException {
        List<String> all = new ArrayList<>();
        try (ResultSet rows = connection.call("clients").query()) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        return all;
    }

    private static List<ClientLine> lines(ResultSet rows) throws SQLException {
        byte[] bytes = rows.getBytes(4);
        return bytes == null ? List.of() : ClientLines.read(bytes);
    }
}
