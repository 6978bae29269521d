package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The row that says who a client is, and what the lock table cannot show of its own lines: for people. */
final class ClientRecord {

    /** Of more names than these it does not tell; those with the most threads come first. */
    private static final int MOST_LINES = 100;

    private final String clientId;
    private final String name;
    private final String host = host();

    ClientRecord(String clientId, String name) {
        this.clientId = clientId;
        this.name = name;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }

    /** Writes the row, or that the client still lives. */
    boolean write(KeptConnection connection, byte[] lines) throws SQLException {
        return fill(connection.call("introduceUpdate"), lines).update() == 1
                || fill(connection.call("introduceInsert"), lines).update() == 1;
    }

    private KeptConnection.Call fill(KeptConnection.Call call, byte[] lines) throws SQLException {
        return call.with("client", clientId)
                .with("host", host)
                .with("pid", ProcessHandle.current().pid())
                .with("name", name)
                .with("lines", lines);
    }

    void remove(KeptConnection connection) throws SQLException {
        connection.call("forgetClient").with("client", clientId).update();
    }

    static Optional<ClientView> read(KeptConnection connection, String client) throws SQLException {
        try (ResultSet rows = connection.call("whoIs").with("client", client).query()) {
            return rows.next()
                    ? Optional.of(new ClientView(
                            rows.getString(1), rows.getLong(2), rows.getString(3), lines(rows.getBytes(4))))
                    : Optional.empty();
        }
    }

    static byte[] bytes(List<ClientLine> lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            List<ClientLine> told = lines.stream()
                    .sorted(Comparator.comparingInt(ClientLine::behind)
                            .reversed()
                            .thenComparing(ClientLine::name))
                    .limit(MOST_LINES)
                    .toList();
            out.writeInt(told.size());
            for (ClientLine line : told) {
                out.writeUTF(line.name());
                out.writeLong(line.claim());
                out.writeUTF(line.holder());
                out.writeInt(line.behind());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** What cannot be read is left out: it must not hide who has a lock. */
    private static List<ClientLine> lines(byte @Nullable [] bytes) {
        List<ClientLine> lines = new ArrayList<>();
        if (bytes == null) {
            return lines;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int left = Math.min(in.readInt(), MOST_LINES); left > 0; left--) {
                lines.add(new ClientLine(in.readUTF(), in.readLong(), in.readUTF(), Math.max(0, in.readInt())));
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        return lines;
    }
}
