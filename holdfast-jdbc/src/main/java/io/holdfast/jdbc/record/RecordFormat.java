package io.holdfast.jdbc.record;

import io.holdfast.LockKind;
import io.holdfast.spi.ClaimId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Several holders and a line of waiters as bytes, for one column. The first byte is the version. */
public final class RecordFormat {
    private static final int VERSION = 2;

    /** Without the time at which a waiter came. */
    private static final int FORMER_VERSION = 1;

    /** What the smallest of the columns takes, and more than anybody wants to write for each change. */
    private static final int MOST_BYTES = 1_048_576;

    private RecordFormat() {}

    public static byte[] encode(LockRecord lockRecord) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(lockRecord.holders().size());
            for (Holder holder : lockRecord.holders()) {
                writeId(out, holder.id());
                out.writeInt(holder.weight());
                out.writeInt(holder.tokens());
                out.writeLong(holder.firstToken());
                out.writeLong(holder.sinceMicros());
                out.writeLong(holder.untilMicros());
                out.writeLong(holder.leaseMicros());
                out.writeUTF(holder.label());
            }
            out.writeInt(lockRecord.line().size());
            for (Place place : lockRecord.line()) {
                writeId(out, place.id());
                out.writeInt(place.weight());
                out.writeInt(place.tokens());
                out.writeLong(place.leastToken());
                out.writeLong(place.leaseMicros());
                out.writeLong(place.sinceMicros());
                out.writeLong(place.untilMicros());
                out.writeUTF(place.label());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        if (bytes.size() > MOST_BYTES) {
            throw new IllegalArgumentException("its record would have " + bytes.size() + " bytes, and " + MOST_BYTES
                    + " are possible: " + lockRecord.holders().size() + " hold it and "
                    + lockRecord.line().size() + " wait; let fewer take part at a time");
        }
        return bytes.toByteArray();
    }

    private static void writeId(DataOutputStream out, ClaimId id) throws IOException {
        out.writeUTF(id.client());
        out.writeLong(id.sequence());
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the bytes are no record that this version can read
     */
    public static LockRecord decode(LockKind kind, int capacity, long lastToken, byte[] doc) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(doc))) {
            int version = in.readByte();
            if (version != VERSION && version != FORMER_VERSION) {
                throw new IllegalArgumentException("its record has version " + version + ", this client reads "
                        + VERSION + "; use the newest Holdfast everywhere");
            }
            List<Holder> holders = new ArrayList<>();
            for (int left = count(in, doc); left > 0; left--) {
                holders.add(new Holder(
                        readId(in),
                        in.readInt(),
                        in.readInt(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readUTF()));
            }
            List<Place> line = new ArrayList<>();
            for (int left = count(in, doc); left > 0; left--) {
                line.add(new Place(
                        readId(in),
                        in.readInt(),
                        in.readInt(),
                        in.readLong(),
                        in.readLong(),
                        version == FORMER_VERSION ? 0 : in.readLong(),
                        in.readLong(),
                        in.readUTF()));
            }
            if (in.read() != -1) {
                throw new IOException("there is more than the record");
            }
            return new LockRecord(kind, capacity, lastToken, holders, line);
        } catch (IOException garbage) {
            throw new IllegalArgumentException(
                    "its record cannot be read (" + doc.length + " bytes: " + garbage.getMessage()
                            + "); if nobody holds it, delete the row",
                    garbage);
        }
    }

    private static int count(DataInputStream in, byte[] doc) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > doc.length) {
            throw new IOException("it counts " + count + " entries");
        }
        return count;
    }

    private static ClaimId readId(DataInputStream in) throws IOException {
        return new ClaimId(in.readUTF(), in.readLong());
    }
}
