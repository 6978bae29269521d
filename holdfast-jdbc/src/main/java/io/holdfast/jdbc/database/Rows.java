package io.holdfast.jdbc.database;

import io.holdfast.jdbc.record.Holder;
import io.holdfast.jdbc.record.LockRecord;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.jdbc.record.RecordFormat;
import io.holdfast.spi.Claim;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads and writes rows: each method is one statement, committed by itself. */
public final class Rows {

    /** How many rows are deleted at a time; see the statements. */
    public static final int PORTION = 500;

    /** What the text columns take. */
    private static final int LONGEST_LABEL = 255;

    private final Statements statements;

    public Rows(Statements statements) {
        this.statements = statements;
    }

    public Dialect dialect() {
        return statements.dialect();
    }

    /** Takes what nobody holds and nobody waits for. Returns the first token, or empty if it is not so. */
    public OptionalLong take(KeptConnection connection, Claim claim, long notAfter) throws SQLException {
        KeptConnection.Call call = connection
                .call("take")
                .with("key", Row.key(claim.resource()))
                .with("least", claim.leastToken())
                .with("tokens", claim.tokens())
                .with("lease", Micros.of(claim.lease()))
                .with("capacity", claim.resource().capacity())
                .with("client", claim.id().client())
                .with("seq", claim.id().sequence())
                .with("weight", claim.weight())
                .with("label", label(claim.label()))
                .with("notAfter", notAfter);
        if (dialect().tokenIsKey()) {
            return call.update() == 1 ? OptionalLong.of(call.key() - claim.tokens() + 1) : OptionalLong.empty();
        }
        try (ResultSet rows = call.query()) {
            return rows.next() ? OptionalLong.of(rows.getLong(1) - claim.tokens() + 1) : OptionalLong.empty();
        }
    }

    /** Gives back what the claim holds alone while nobody waits. Returns whether it was so. */
    public boolean give(KeptConnection connection, Claim claim, long notAfter) throws SQLException {
        return connection
                        .call("give")
                        .with("key", Row.key(claim.resource()))
                        .with("client", claim.id().client())
                        .with("seq", claim.id().sequence())
                        .with("notAfter", notAfter)
                        .update()
                == 1;
    }

    public Row read(KeptConnection connection, byte[] key) throws SQLException {
        try (ResultSet rows = connection.call("read").with("key", key).query()) {
            rows.next();
            return Row.read(rows);
        }
    }

    /** The rows that exist. */
    public List<Row> read(KeptConnection connection, List<byte[]> keys) throws SQLException {
        List<byte[]> padded = padded(keys);
        try (ResultSet rows =
                connection.call("readSome", padded.size()).keys(padded).query()) {
            return all(rows);
        }
    }

    /** At most 500 rows in use, by key, after one key and before another. */
    public List<Row> list(KeptConnection connection, byte[] after, byte[] end) throws SQLException {
        try (ResultSet rows =
                connection.call("list").with("after", after).with("end", end).query()) {
            return all(rows);
        }
    }

    private static List<Row> all(ResultSet rows) throws SQLException {
        List<Row> all = new ArrayList<>();
        while (rows.next()) {
            all.add(Row.read(rows));
        }
        return all;
    }

    /** Writes what became of a row, unless somebody has changed it since. */
    public boolean write(
            KeptConnection connection, byte[] key, Row old, LockRecord fresh, long notAfter, List<Notice> notices)
            throws SQLException {
        boolean tells = !notices.isEmpty() && !old.isAbsent();
        KeptConnection.Call call = connection
                .call(old.isAbsent() ? "insert" : tells ? "swapAndTell" : "swap")
                .with("key", key)
                .with("version", old.version())
                .with("lastToken", fresh.lastToken())
                .with("freeAt", fresh.freeAtMicros())
                .with("capacity", fresh.capacity())
                .with("notAfter", notAfter);
        Holder single = single(fresh);
        boolean empty =
                single == null && fresh.holders().isEmpty() && fresh.line().isEmpty();
        holder(call, single, old.nowMicros());
        if (single == null && !empty) {
            call.with("doc", RecordFormat.encode(fresh));
        } else {
            call.without("doc", Types.BINARY);
        }
        if (!tells) {
            return call.update() == 1;
        }
        call.with("channels", notices.stream().map(Notice::channel).toArray(String[]::new));
        call.with("payloads", notices.stream().map(Notice::payload).toArray(String[]::new));
        try (ResultSet told = call.query()) {
            return told.next();
        }
    }

    /** Who can stand in columns: one holder, nobody in line, and its tokens are the last ones. */
    private static @Nullable Holder single(LockRecord fresh) {
        boolean alone = fresh.line().isEmpty() && fresh.holders().size() == 1;
        return alone && fresh.holders().get(0).lastToken() == fresh.lastToken()
                ? fresh.holders().get(0)
                : null;
    }

    private static void holder(KeptConnection.Call call, @Nullable Holder holder, long nowMicros) throws SQLException {
        if (holder == null) {
            call.without("client", Types.VARCHAR)
                    .without("seq", Types.BIGINT)
                    .without("weight", Types.INTEGER)
                    .without("tokens", Types.INTEGER)
                    .with("since", nowMicros)
                    .without("lease", Types.BIGINT)
                    .without("label", Types.VARCHAR);
        } else {
            call.with("client", holder.id().client())
                    .with("seq", holder.id().sequence())
                    .with("weight", holder.weight())
                    .with("tokens", holder.tokens())
                    .with("since", holder.sinceMicros())
                    .with("lease", holder.leaseMicros())
                    .with("label", label(holder.label()));
        }
    }

    /** Makes the claims of a client that hold alone last longer. Returns how many did. */
    public int renew(KeptConnection connection, String client, List<ClaimKey> keys, long leaseMicros, long notAfter)
            throws SQLException {
        List<ClaimKey> padded = padded(keys);
        return connection
                .call("renew", padded.size())
                .claims(padded)
                .with("client", client)
                .with("lease", leaseMicros)
                .with("notAfter", notAfter)
                .update();
    }

    /** Sends a message to another client, where the database can. */
    public boolean tell(KeptConnection connection, String channel, String payload) throws SQLException {
        try (ResultSet sent = connection
                .call("tell")
                .with("channel", channel)
                .with("payload", payload)
                .query()) {
            return sent.next();
        }
    }

    /** The database's clock. */
    public long nowMicros(KeptConnection connection) throws SQLException {
        try (ResultSet now = connection.call("now").query()) {
            now.next();
            return now.getLong(1);
        }
    }

    /** Deletes some rows that nobody has used for a while, and none that cannot be read. Returns how many. */
    public int clean(KeptConnection connection) throws SQLException {
        int cleaned = connection.call("clean").update();
        List<Row> abandoned;
        try (ResultSet rows = connection.call("abandoned").query()) {
            abandoned = all(rows);
        }
        for (Row row : abandoned) {
            if (row.isReadable()) {
                cleaned += connection
                        .call("forget")
                        .with("key", row.key())
                        .with("version", row.version())
                        .update();
            }
        }
        return cleaned;
    }

    /** As many as the next power of two, so that there are few different statements. */
    private static <T> List<T> padded(List<T> keys) {
        int size = Integer.highestOneBit(Math.max(1, keys.size() * 2 - 1));
        List<T> padded = new ArrayList<>(keys);
        padded.addAll(Collections.nCopies(size - keys.size(), keys.get(keys.size() - 1)));
        return padded;
    }

    /** What a text column takes: databases refuse the character zero and halves of surrogate pairs. */
    private static String label(String label) {
        String shorter = label.length() > LONGEST_LABEL ? label.substring(0, LONGEST_LABEL) : label;
        StringBuilder text = new StringBuilder(shorter.length());
        shorter.codePoints()
                .map(point -> point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                        ? '?'
                        : point)
                .forEach(text::appendCodePoint);
        return text.toString();
    }
}
