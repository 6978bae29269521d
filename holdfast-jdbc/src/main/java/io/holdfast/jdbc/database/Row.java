package io.holdfast.jdbc.database;

import io.holdfast.LockKind;
import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.jdbc.record.RecordFormat;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row of the lock table as it was at an instant of the database's clock. A single holder without a line stands in
 * columns; anything else is in {@code doc}.
 *
 * @param nowMicros the database's clock when it was read
 * @param key its kind and name; null when there is no row
 * @param version grows with every change
 * @param lastToken the greatest token ever handed out
 * @param freeAtMicros nobody holds or waits after this
 * @param capacity how much there is
 * @param single who holds it alone, or null
 * @param doc all holders and the line, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Row(
        long nowMicros,
        byte @Nullable [] key,
        long version,
        long lastToken,
        long freeAtMicros,
        int capacity,
        @Nullable Holder single,
        byte @Nullable [] doc) {

    public static byte[] key(Resource resource) {
        byte[] name = resource.name().getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[name.length + 1];
        key[0] = letter(resource.kind());
        System.arraycopy(name, 0, key, 1, name.length);
        return key;
    }

    public static byte[] prefix(LockKind kind, String namePrefix) {
        return key(new Resource(kind, namePrefix, 1));
    }

    private static byte letter(LockKind kind) {
        return (byte)
                switch (kind) {
                    case LOCK -> 'l';
                    case READ_WRITE -> 'r';
                    case SEMAPHORE -> 's';
                    case ELECTION -> 'e';
                    case LATCH -> 'c';
                };
    }

    public static LockKind kind(byte[] key) {
        return Arrays.stream(LockKind.values())
                .filter(kind -> letter(kind) == key[0])
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("its key begins with " + key[0] + ", which is no kind of lock"));
    }

    public static String name(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }

    static Row read(ResultSet rows) throws SQLException {
        long now = rows.getLong(1);
        byte[] key = rows.getBytes(2);
        if (key == null) {
            return new Row(now, null, 0, 0, 0, 0, null, null);
        }
        long lastToken = rows.getLong(4);
        long freeAt = rows.getLong(5);
        byte[] doc = rows.getBytes(14);
        String client = rows.getString(7);
        Holder single = null;
        if (doc == null && client != null) {
            int tokens = rows.getInt(10);
            String label = rows.getString(13);
            single = new Holder(
                    new ClaimId(client, rows.getLong(8)),
                    rows.getInt(9),
                    tokens,
                    lastToken - tokens + 1,
                    rows.getLong(11),
                    freeAt,
                    rows.getLong(12),
                    label == null ? "" : label);
        }
        return new Row(now, key, rows.getLong(3), lastToken, freeAt, rows.getInt(6), single, doc);
    }

    public boolean isAbsent() {
        return key == null;
    }

    /** Whether this version knows what it says. */
    boolean isReadable() {
        try {
            toRecord(new Resource(kind(Objects.requireNonNull(key)), name(key), capacity));
            return true;
        } catch (IllegalArgumentException garbage) {
            return false;
        }
    }

    /** What the row says, or a resource that nobody knows yet. */
    public LockRecord toRecord(Resource resource) {
        if (isAbsent()) {
            int unknown = resource.kind() == LockKind.READ_WRITE ? Resource.ALL_READERS : resource.capacity();
            return new LockRecord(resource.kind(), unknown, 0, List.of(), List.of());
        }
        if (doc != null) {
            return RecordFormat.decode(resource.kind(), capacity, lastToken, doc);
        }
        List<Holder> holders = single == null ? List.of() : List.of(single);
        return new LockRecord(resource.kind(), capacity, lastToken, holders, List.of());
    }
}
