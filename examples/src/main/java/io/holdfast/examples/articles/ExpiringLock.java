package io.holdfast.examples.articles;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;

/**
 * The second one: the row says until when it counts, so that a crash does not last for ever. Both the end and "now"
 * come
 * from the clock of whoever asks, and {@link #unlock} deletes whatever row it finds.
 */
public final class ExpiringLock {
    /** Its table. */
    public static final String TABLE = "holdfast_example_expiring";

    private final Connection connection;
    private final Clock clock;

    /** On a connection in auto-commit mode, with the clock of its machine. */
    public ExpiringLock(Connection connection, Clock clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /** What its table looks like. */
    public static String schema() {
        return "CREATE TABLE " + TABLE + " (name VARCHAR(100) PRIMARY KEY, expires_at BIGINT NOT NULL)";
    }

    /** Returns whether the caller has it now. */
    public boolean tryLock(String name, Duration lease) throws SQLException {
        long now = clock.millis();
        try (PreparedStatement tidy =
                connection.prepareStatement("DELETE FROM " + TABLE + " WHERE name = ? AND expires_at < ?")) {
            tidy.setString(1, name);
            tidy.setLong(2, now);
            tidy.executeUpdate();
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + TABLE + " (name, expires_at) VALUES (?, ?)")) {
            insert.setString(1, name);
            insert.setLong(2, now + lease.toMillis());
            insert.executeUpdate();
            return true;
        } catch (SQLException taken) {
            if (!String.valueOf(taken.getSQLState()).startsWith("23")) { // a constraint, in every database
                throw taken;
            }
            return false;
        }
    }

    /** Deletes the row, whoever inserted it. */
    public void unlock(String name) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM " + TABLE + " WHERE name = ?")) {
            delete.setString(1, name);
            delete.executeUpdate();
        }
    }
}
