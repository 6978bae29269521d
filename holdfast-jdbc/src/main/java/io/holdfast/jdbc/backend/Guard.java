package io.holdfast.jdbc.backend;

import io.holdfast.DurationText;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.record.Micros;
import io.holdfast.spi.AttemptResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Finds out whether a database may have forgotten who holds what. A mark in the tables says which server wrote them; a
 * server that is another one is a replica that took over, and may lack the last commits. A row that only we write says
 * whether the locks were emptied, as a crash does to tables without a log.
 *
 * <p>Each new connection looks before it is used. Connections do not outlive their server, so every statement reaches a
 * server that was looked at. Those to a pooler do: it goes on with the next server, so it is refused.
 */
final class Guard {
    private final Duration shutFor;

    /** Whether this client has seen the mark of a server: a store without one has lost it since. */
    private volatile boolean marked;

    /** Whether some connection found it shut, and nobody has noted that this is over. */
    private volatile boolean shut;

    Guard(Duration shutFor) {
        this.shutFor = shutFor;
    }

    /** Looks, and tells the connection until when nothing new is granted. */
    void check(KeptConnection connection) throws SQLException {
        if (connection.isPooled()) {
            throw behindAPooler();
        }
        String mark = identity(connection) + "/" + witness(connection);
        Meta meta = Meta.read(connection);
        if (!meta.mark().equals(mark)) {
            boolean isNew = meta.mark().equals(Meta.UNUSED) && !marked;
            connection
                    .call("shut")
                    .with("mark", mark)
                    .with("shut", isNew ? 0 : Micros.of(shutFor))
                    .with("old", meta.mark())
                    .update();
            meta = Meta.read(connection);
        }
        if (!meta.mark().equals(mark)) {
            throw new LockStoreException(
                    "two servers write to the same tables (" + mark + " and " + meta.mark()
                            + "); Safety.STRICT needs one primary at a time",
                    null);
        }
        marked = true;
        long untilMicros = remembered(connection, meta);
        if (untilMicros != 0) {
            shut = true;
        }
        connection.shutUntil(untilMicros, Micros.of(shutFor));
    }

    boolean isShut() {
        return shut;
    }

    /** Notes that it is over, when it is: nobody may have looked by the time at which the clock is set back. */
    void reopen(KeptConnection connection) throws SQLException {
        connection.call("reopen").update();
        shut = Meta.read(connection).shutUntilMicros() != 0;
    }

    static LockStoreException behindAPooler() {
        return new LockStoreException(
                "a pooler stands before the database and keeps a connection while the server behind it is replaced, so"
                        + " Safety.STRICT and tables without a log cannot be guarded; connect past the pooler, or use"
                        + " Safety.AVAILABLE and tables with a log",
                null);
    }

    /**
     * What is over is forgotten, and nothing lasts longer than it can: a clock that is set back must not shut
     * anything.
     */
    private long remembered(KeptConnection connection, Meta meta) throws SQLException {
        if (meta.shutUntilMicros() == 0) {
            return 0;
        }
        if (meta.shutUntilMicros() <= meta.nowMicros()) {
            connection.call("reopen").update();
            return 0;
        }
        long mostMicros = meta.nowMicros() + Micros.of(shutFor);
        if (meta.shutUntilMicros() > mostMicros) { // for the next connections, too
            connection.call("shorten").with("shut", Micros.of(shutFor)).update();
        }
        return Math.min(meta.shutUntilMicros(), mostMicros);
    }

    /** A number that is written once and gone with the locks. */
    private static long witness(KeptConnection connection) throws SQLException {
        for (int tries = 0; ; tries++) {
            try (ResultSet row = connection.call("witness").query()) {
                if (row.next()) {
                    return row.getLong(1);
                }
            }
            try {
                connection.call("witnessInsert").update();
            } catch (SQLException trouble) {
                if (tries > 0 || !Dialect.didNothing(trouble)) {
                    throw trouble;
                }
            }
        }
    }

    /** What those hear who ask a database that is shut for so long. */
    static AttemptResult refusal(long leftMicros) {
        Duration left = Micros.duration(leftMicros);
        return new AttemptResult.Refused(
                "the database was replaced by another one, or lost its tables, and may not know every lock; it grants"
                        + " nothing new for " + DurationText.of(Duration.ofSeconds(left.toSeconds()))
                        + " more, and holders keep what they have",
                left);
    }

    private static String identity(KeptConnection connection) throws SQLException {
        Map<String, String> said = new HashMap<>();
        try (ResultSet rows = connection.call("identity").query()) {
            while (rows.next()) {
                said.put(rows.getString(1), String.valueOf(rows.getString(2)));
            }
        }
        // MariaDB has no identity of its own: its place has to do.
        return Objects.requireNonNullElseGet(
                said.get("server_uuid"),
                () -> said.get("server_id") + "@" + said.get("hostname") + ":" + said.get("port"));
    }
}
