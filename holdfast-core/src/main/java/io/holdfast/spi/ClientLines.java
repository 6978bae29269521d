package io.holdfast.spi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The lines that a client tells others of, and their form in stores that keep bytes.
 *
 * @since 0.1
 */
public final class ClientLines {
    /** The most names that a client tells others of. */
    public static final int MOST = 100;

    private ClientLines() {}

    /**
     * Chooses what is told.
     *
     * @param lines all of a client
     * @return the lines with the most threads, at most {@value #MOST} of them
     */
    public static List<ClientLine> longest(List<ClientLine> lines) {
        return lines.stream()
                .sorted(Comparator.comparingInt(ClientLine::behind).reversed().thenComparing(ClientLine::name))
                .limit(MOST)
                .toList();
    }

    /**
     * Writes the longest of them.
     *
     * @param lines all of a client
     * @return what {@link #read} reads
     */
    public static byte[] bytes(List<ClientLine> lines) {
        List<ClientLine> told = longest(lines);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
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

    /**
     * Reads them.
     *
     * @param bytes written by {@link #bytes}
     * @return the lines; none if they cannot be read, because they must not hide who has a lock
     */
    public static List<ClientLine> read(byte[] bytes) {
        List<ClientLine> lines = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int left = Math.min(in.readInt(), MOST); left > 0; left--) {
                lines.add(new ClientLine(in.readUTF(), in.readLong(), in.readUTF(), Math.max(0, in.readInt())));
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        return lines;
    }
}
