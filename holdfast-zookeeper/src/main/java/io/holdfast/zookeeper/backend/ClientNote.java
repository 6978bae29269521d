package io.holdfast.zookeeper.backend;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What the client's own node holds: who it is, and what the nodes of claims cannot show of its own lines. */
final class ClientNote {
    /** Of more names than these it does not tell; those with the most threads come first. */
    private static final int MOST_LINES = 100;

    private final String name;
    private final String host = host();
    private volatile byte[] bytes;

    ClientNote(String name) {
        this.name = name;
        this.bytes = write(List.of());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Notes the lines of now; tells whether they differ from before. */
    boolean note(List<ClientLine> lines) {
        byte[] now = write(lines);
        boolean changed = !Arrays.equals(now, bytes);
        bytes = now;
        return changed;
    }

    private byte[] write(List<ClientLine> lines) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(written)) {
            out.writeUTF(host);
            out.writeLong(ProcessHandle.current().pid());
            out.writeUTF(name);
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
        return written.toByteArray();
    }

    /** What cannot be read is left out: it must not hide who has a lock. */
    static ClientView read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String host = in.readUTF();
            long pid = in.readLong();
            String name = in.readUTF();
            List<ClientLine> lines = new ArrayList<>();
            for (int left = Math.min(in.readInt(), MOST_LINES); left > 0; left--) {
                lines.add(new ClientLine(in.readUTF(), in.readLong(), in.readUTF(), Math.max(0, in.readInt())));
            }
            return new ClientView(host, pid, name, lines);
        } catch (IOException unreadable) {
            return ClientView.UNKNOWN;
        }
    }
}
