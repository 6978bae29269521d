package io.holdfast.zookeeper.backend;

import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientLines;
import io.holdfast.spi.ClientView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/** What the client's own node holds: who it is, and what the nodes of claims cannot show of its own lines. */
final class ClientRecord {
    private final ClientView client;
    private volatile byte[] bytes;

    ClientRecord(String name) {
        this.client = ClientView.ofThisProcess(name);
        this.bytes = write(List.of());
    }

    byte[] bytes() {
        return bytes;
    }

    /** Notes the lines of now; tells whether they differ from before. */
    boolean update(List<ClientLine> lines) {
        byte[] now = write(lines);
        boolean changed = !Arrays.equals(now, bytes);
        bytes = now;
        return changed;
    }

    private byte[] write(List<ClientLine> lines) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(written)) {
            out.writeUTF(client.host());
            out.writeLong(client.pid());
            out.writeUTF(client.name());
            out.write(ClientLines.bytes(lines));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return written.toByteArray();
    }

    /** What cannot be read is left out: it must not hide who has a lock. */
    static ClientView read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String host = in.readUTF();
            long pid = in.readLong();
            String name = in.readUTF();
            return new ClientView(host, pid, name, ClientLines.read(in.readAllBytes()));
        } catch (IOException unreadable) {
            return ClientView.UNKNOWN;
        }
    }
}
