package io.holdfast.fence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What differs between databases. */
enum Dialect {
    POSTGRESQL("PostgreSQL", "42P01, 3F000", true),
    /** What a driver counts as a changed row depends on its settings here. */
    MYSQL("MySQL, MariaDB", "42S02", false),
    H2("H2", "42S02, 42S03, 42S04, 90079", true);

    /** Whoever wrote the same key at the same instant was faster. */
    static final String DUPLICATE_KEY = "23505";

    /** A row of the catalogue, a table or a type: which one depends on the timing of the two transactions. */
    private static final String CREATED_MEANWHILE = "23505, 42P07, 42710";

    private static final String COMMA = ", ";

    private final String products;
    private final String missingStates;
    private final boolean countTells;
    private final String enterSql;

    /**
     * @param products as drivers name them
     * @param missingStates the SQL states of a table, or its schema, that does not exist
     */
    Dialect(String products, String missingStates, boolean countTells) {
        this.products = products;
        this.missingStates = missingStates;
        this.countTells = countTells;
        this.enterSql = Texts.sql("enter-" + file());
    }

    private String file() {
        return name().toLowerCase(Locale.ROOT) + ".sql";
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (Dialect dialect : values()) {
            if (List.of(dialect.products.split(COMMA)).contains(product)) {
                return dialect;
            }
        }
        String known = Arrays.stream(values()).map(dialect -> dialect.products).collect(Collectors.joining(COMMA));
        throw new UnsupportedOperationException(
                "the database is '" + product + "', and JdbcFence knows only " + known
                        + ". Elsewhere: lock the row of the name for update, compare, write it back, all before the first read");
    }

    /** The statement that advances a row; it takes name, token, holder. */
    String enterSql() {
        return enterSql;
    }

    /** Whether the statement counts one row exactly when it accepted. */
    boolean countTells() {
        return countTells;
    }

    /** Where the table's statement is. */
    String schemaFile() {
        return "schema-" + file();
    }

    boolean isMissingTable(SQLException trouble) {
        return isOneOf(missingStates, trouble);
    }

    private static boolean isOneOf(String states, SQLException trouble) {
        String state = trouble.getSQLState();
        return state != null && List.of(states.split(COMMA)).contains(state);
    }

    /** Whether a table could not be created because somebody else has done so at the same instant. */
    boolean isCreatedMeanwhile(SQLException trouble) {
        return this == POSTGRESQL && isOneOf(CREATED_MEANWHILE, trouble);
    }
}
