package io.holdfast.jdbc.database;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Every statement of one dialect, for tables of one name. */
public final class Statements {
    private final Map<String, String> sources = new HashMap<>();
    private final Map<String, Sql> statements = new ConcurrentHashMap<>();
    private final Dialect dialect;
    private final String table;
    private volatile boolean mayPrepare = true;

    public Statements(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
        sources.putAll(Sql.sections("statements.sql"));
        sources.putAll(Sql.sections("statements-" + dialect.file()));
        String clock = Objects.requireNonNull(sources.remove("clock"), "clock");
        String witness = Objects.requireNonNull(sources.remove("witnessKey"), "witnessKey");
        sources.replaceAll((name, text) -> text.replace("{clock}", clock)
                .replace("{witness}", witness)
                .replace("{lock}", table + "_lock")
                .replace("{client}", table + "_client")
                .replace("{meta}", table + "_meta"));
    }

    public Dialect dialect() {
        return dialect;
    }

    public String table() {
        return table;
    }

    /** False from the moment on when a database did not know a prepared statement of ours. */
    boolean mayPrepare() {
        return mayPrepare;
    }

    SQLException noticed(SQLException trouble) {
        if (Dialect.isLostStatement(trouble)) {
            mayPrepare = false;
        }
        return trouble;
    }

    Sql of(String name) {
        return statements.computeIfAbsent(name, unknown -> Sql.of(source(name)));
    }

    /** For so many keys, or a few more: the number of different statements is small. */
    Sql of(String name, int count) {
        return statements.computeIfAbsent(
                name + count,
                unknown -> Sql.of(source(name)
                        .replace("{keys}", repeated(":key", count))
                        .replace("{claims}", repeated("(:key, :seq)", count))));
    }

    private static String repeated(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what).collect(Collectors.joining(", "));
    }

    private String source(String name) {
        return Objects.requireNonNull(sources.get(name), name);
    }

    /** The statements that create the tables. */
    public String[] schema() {
        return Sql.resource("schema-" + dialect.file())
                .replace("holdfast_", table + "_")
                .split(";\\s*");
    }
}
