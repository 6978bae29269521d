package io.holdfast.examples.articles;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The first "MySQL lock" of the articles: the name is the primary key, who inserts the row has the lock, who deletes it
 * gives it back. Nobody can wait, nobody can enter again, and a crash leaves the row there for ever.
 */
public final class InsertLock {
    /** Its table. */
    public static final String TABLE = "holdfast_example_insert";

    private final Connection connection;

    /** On a connection in auto-commit mode. */
    public InsertLock(Connection connection) {
        this.connection = connection;
    }

    /** What its table looks like. */
    public static String schema() {
        return "CREATE TABLE " + TABLE + " (name VARCHAR(100) PRIMARY KEY)";
    }

    /** Returns whether the caller has it now. */
    public boolean tryLock(String name) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + TABLE + " (name) VALUES (?)")) {
            insert.setString(1, name);
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
