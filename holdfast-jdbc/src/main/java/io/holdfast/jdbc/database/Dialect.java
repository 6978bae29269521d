package io.holdfast.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What differs between databases. */
public enum Dialect {
    POSTGRESQL,
    /** MariaDB, too. */
    MYSQL,
    H2;

    /**
     * The statement did nothing, because of somebody else's: deadlock, serialization, a row that stays locked, the same
     * new key.
     */
    private static final Set<String> DID_NOTHING = Set.of("40001", "40P01", "55P03", "23505", "90131", "HYT00");

    /** MySQL's numbers of the same, and of a row that changed since it was read. */
    private static final Set<Integer> DID_NOTHING_NUMBERS = Set.of(1213, 1205, 1062, 1020);

    /** A prepared statement is not there, or somebody else's is: a pooler gave the connection to another session. */
    private static final Set<String> LOST_STATEMENT = Set.of("26000", "42P05");

    private static final Set<String> MISSING_TABLE = Set.of("42P01", "3F000", "42S02", "42S03", "42S04", "90079");

    private static final Set<String> CREATED_MEANWHILE = Set.of("23505", "42P07", "42710");

    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MySQL", "MariaDB" -> MYSQL;
            case "H2" -> H2;
            default ->
                throw new UnsupportedOperationException("the database is '" + product
                        + "', and JdbcLocks supports PostgreSQL, MySQL, MariaDB and H2; use one of them, or Redis");
        };
    }

    /** How its scripts are called at the end. */
    public String file() {
        return name().toLowerCase(Locale.ROOT) + ".sql";
    }

    /** The oldest version that is known to work: major and minor. */
    public List<Integer> leastVersion(String product) {
        return switch (this) {
            case POSTGRESQL -> List.of(12, 0);
            case MYSQL -> product.equals("MariaDB") ? List.of(10, 6) : List.of(8, 0);
            case H2 -> List.of(2, 0);
        };
    }

    /**
     * What each connection of ours is told first: rows and tables are waited for no longer than a second. Local times
     * of MySQL are ambiguous for an hour a year.
     */
    List<String> begin() {
        return switch (this) {
            case POSTGRESQL -> List.of("SET lock_timeout = '1s'");
            case MYSQL ->
                List.of("SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1, time_zone = '+00:00'");
            case H2 -> List.of("SET LOCK_TIMEOUT 1000");
        };
    }

    /** What it is told last, because it may belong to a pool. */
    List<String> end() {
        return switch (this) {
            case POSTGRESQL -> List.of("RESET lock_timeout", "UNLISTEN *");
            case MYSQL ->
                List.of("SET SESSION innodb_lock_wait_timeout = DEFAULT, lock_wait_timeout = DEFAULT,"
                        + " time_zone = DEFAULT");
            case H2 -> List.of();
        };
    }

    /** Whether a message can be sent to other processes. */
    public boolean announces() {
        return this == POSTGRESQL;
    }

    /** Whether the last token of a grant comes back as a generated key. */
    boolean tokenIsKey() {
        return this == MYSQL;
    }

    public static boolean didNothing(SQLException trouble) {
        return DID_NOTHING.contains(String.valueOf(trouble.getSQLState()))
                || DID_NOTHING_NUMBERS.contains(trouble.getErrorCode());
    }

    /** The statement did nothing, and will not do better as long as it is prepared. */
    static boolean isLostStatement(SQLException trouble) {
        return LOST_STATEMENT.contains(String.valueOf(trouble.getSQLState()));
    }

    public static boolean isMissingTable(SQLException trouble) {
        return MISSING_TABLE.contains(String.valueOf(trouble.getSQLState()));
    }

    public static boolean isCreatedMeanwhile(SQLException trouble) {
        return CREATED_MEANWHILE.contains(String.valueOf(trouble.getSQLState()));
    }
}
