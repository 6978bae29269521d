package io.holdfast.jdbc.database;

import io.holdfast.LockStoreException;
import java.sql.SQLException;
import java.util.Map;

/** What a database said, as a sentence with what to do about it. */
public final class ErrorMessages {
    private static final String READ_ONLY =
            "the database is read-only, so it is a replica or was set so; connect to the primary";
    private static final String NO_RIGHT = "the user may not; GRANT SELECT, INSERT, UPDATE, DELETE on the tables"
            + " of Holdfast to it (and CREATE on the schema for createTables())";
    private static final String NO_SPACE = "the database has no space left; make room, locks go on by themselves";
    private static final String NO_LOGIN = "user or password were refused; check them";
    private static final String TOO_MANY =
            "the database takes no more connections; raise its limit," + " or use fewer with connections(n)";
    private static final String STATEMENT_LOG =
            "the server logs statements (binlog_format=STATEMENT), which READ COMMITTED excludes; set binlog_format=ROW";

    private static final String STATEMENT_TIMEOUT = "a statement timeout of the database or of its user ended it; raise"
            + " it for the user of the locks, two seconds are enough";

    private static final String MISSING = "a table of the locks does not exist; create it with createTables() of the"
            + " builder, with JdbcLocks.createTables(connection), with 'holdfast init' at the prompt, or with the script"
            + " schema-….sql from holdfast-jdbc";

    private static final String NOT_OPENED =
            "no connection could be opened, so it was not done; check that the database"
                    + " runs and can be reached, and that a pool has connections(n) + 3 left for locks";

    /** The second one is what a replica says to whoever asks where its log ends. */
    private static final Map<String, String> BY_STATE = Map.ofEntries(
            Map.entry("25006", READ_ONLY),
            Map.entry("55000", READ_ONLY),
            Map.entry("42501", NO_RIGHT),
            Map.entry("53100", NO_SPACE),
            Map.entry("28P01", NO_LOGIN),
            Map.entry("28000", NO_LOGIN),
            Map.entry("53300", TOO_MANY),
            Map.entry("57014", STATEMENT_TIMEOUT));

    private static final Map<Integer, String> BY_NUMBER = Map.ofEntries(
            Map.entry(1290, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(1142, NO_RIGHT),
            Map.entry(1044, NO_RIGHT),
            Map.entry(1021, NO_SPACE),
            Map.entry(1114, NO_SPACE),
            Map.entry(1045, NO_LOGIN),
            Map.entry(1040, TOO_MANY),
            Map.entry(1203, TOO_MANY),
            Map.entry(1665, STATEMENT_LOG),
            Map.entry(1969, STATEMENT_TIMEOUT),
            Map.entry(3024, STATEMENT_TIMEOUT),
            Map.entry(90096, NO_RIGHT),
            Map.entry(90097, READ_ONLY));

    private ErrorMessages() {}

    /**
     * Says what could not be done, why, and what to do about it.
     *
     * @param what as in "could not … "
     */
    public static LockStoreException of(String what, SQLException trouble) {
        return of(what, trouble, unknown(trouble));
    }

    /** The same where no connection could be opened, so that nothing was sent: a pool may have none left. */
    static LockStoreException ofOpening(String what, SQLException trouble) {
        return of(what, trouble, NOT_OPENED);
    }

    private static LockStoreException of(String what, SQLException trouble, String otherwise) {
        return new LockStoreException(
                "could not " + what + ": " + advice(trouble, otherwise) + " (the database says '" + oneLine(trouble)
                        + "', SQL state " + trouble.getSQLState() + ", code " + trouble.getErrorCode() + ")",
                trouble);
    }

    private static String advice(SQLException trouble, String otherwise) {
        String known = BY_STATE.get(String.valueOf(trouble.getSQLState()));
        String advice = known == null ? BY_NUMBER.get(trouble.getErrorCode()) : known;
        if (advice != null) {
            return advice;
        }
        return Dialect.isMissingTable(trouble) ? MISSING : otherwise;
    }

    private static String unknown(SQLException trouble) {
        return Dialect.didNothing(trouble)
                ? "somebody else keeps the row or the table locked; find out who, and try again"
                : "nobody knows whether it was done; check that the database runs, can be reached and may be written to";
    }

    private static String oneLine(SQLException trouble) {
        return String.valueOf(trouble.getMessage()).strip().replaceAll("\\s+", " ");
    }
}
