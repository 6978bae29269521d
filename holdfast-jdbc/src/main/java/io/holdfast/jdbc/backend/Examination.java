package io.holdfast.jdbc.backend;

import io.holdfast.DurationText;
import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.LockStoreException;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.ErrorMessages;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.ServerClock;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Looks at a database, and says everything that is wrong with it. Creates and changes nothing. */
public final class Examination {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final long MOST_SKEW_SECONDS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final JdbcSettings settings;
    private final List<Finding> findings = new ArrayList<>();
    private String server = "database";

    public Examination(JdbcSettings settings) {
        this.settings = settings;
    }

    public List<Finding> run() {
        long began = settings.time().nanoTime();
        try (Connection connection = settings.dataSource().getConnection()) {
            Duration took = Duration.ofNanos(settings.time().nanoTime() - began);
            DatabaseMetaData about = connection.getMetaData();
            server = about.getDatabaseProductName();
            ok("connection", "opened in " + DurationText.rounded(took));
            Dialect dialect = Dialect.of(connection);
            version(dialect, about);
            KeptConnection kept = new KeptConnection(
                    connection,
                    new Statements(dialect, settings.table()),
                    settings.time().nanoTime());
            kept.timeout((int) PATIENCE.toMillis());
            examine(kept);
        } catch (UnsupportedOperationException unknown) {
            fail("product", String.valueOf(unknown.getMessage()), "use one of those, or Redis");
        } catch (SQLException trouble) {
            fail("connection", message("look at the database", trouble), "check that it runs and can be reached");
        }
        return findings;
    }

    private void version(Dialect dialect, DatabaseMetaData about) throws SQLException {
        List<Integer> least = dialect.leastVersion(server);
        int major = about.getDatabaseMajorVersion();
        int minor = about.getDatabaseMinorVersion();
        boolean fit = major > least.get(0) || (major == least.get(0) && minor >= least.get(1));
        String found = "version " + about.getDatabaseProductVersion();
        if (fit) {
            ok("version", found);
        } else {
            fail("version", found + " is older than " + least.get(0) + "." + least.get(1), "upgrade the database");
        }
    }

    private void examine(KeptConnection connection) throws SQLException {
        clock(connection);
        Map<String, String> variables = variables(connection);
        writes(variables);
        durability(variables);
        tables(connection);
        if (findings.stream().noneMatch(finding -> finding.level() == Level.FAIL)) {
            client(connection.statements().dialect());
        }
    }

    private void clock(KeptConnection connection) throws SQLException {
        try (ResultSet now = connection.call("now").query()) {
            now.next();
            long seconds = Math.abs(
                    now.getLong(1) / MICROS_PER_SECOND - settings.time().wallMillis() / MILLIS_PER_SECOND);
            if (seconds <= MOST_SKEW_SECONDS) {
                ok("clock", "within " + (seconds + 1) + " s of this machine's");
            } else {
                warn(
                        "clock",
                        seconds + " s away from this machine's",
                        "set both by NTP; leases are judged by the database's alone, but one that is corrected in a step"
                                + " ends leases early");
            }
        }
    }

    private static Map<String, String> variables(KeptConnection connection) throws SQLException {
        Map<String, String> variables = new HashMap<>();
        try (ResultSet rows = connection.call("variables").query()) {
            while (rows.next()) {
                variables.put(
                        rows.getString(1).toLowerCase(Locale.ROOT),
                        String.valueOf(rows.getString(2)).toLowerCase(Locale.ROOT));
            }
        }
        return variables;
    }

    private void writes(Map<String, String> variables) {
        String readOnly = variables.getOrDefault("read_only", "off");
        if (List.of("on", "1", "true").contains(readOnly)) {
            fail("writes", "the database is read-only", "connect to the primary");
        } else {
            ok("writes", "the database takes them");
        }
        boolean severalWriters = variables.getOrDefault("wsrep_on", "off").equals("on")
                || !variables.getOrDefault("group_replication_group_name", "").isEmpty();
        if (severalWriters) {
            fail(
                    "writers",
                    "Galera or Group Replication: several servers write, and a commit may be undone",
                    "use a database with one primary");
        }
        if (variables.getOrDefault("binlog_format", "row").equals("statement")
                && variables.getOrDefault("log_bin", "off").equals("on")) {
            fail("log", "binlog_format is STATEMENT, which READ COMMITTED excludes", "set binlog_format=ROW");
        }
    }

    private void durability(Map<String, String> variables) {
        boolean logged = variables.getOrDefault("log_bin", "off").equals("off")
                || variables.getOrDefault("sync_binlog", "1").equals("1");
        boolean durable = variables.getOrDefault("fsync", "on").equals("on")
                && !variables.getOrDefault("synchronous_commit", "on").equals("off")
                && variables.getOrDefault("innodb_flush_log_at_trx_commit", "1").equals("1");
        if (durable && logged) {
            ok("disk", "commits are on disk before they are confirmed");
        } else {
            warn(
                    "disk",
                    "commits are confirmed before they are on disk, so a crash may forget who holds a lock",
                    "set fsync=on and synchronous_commit=on (PostgreSQL), or innodb_flush_log_at_trx_commit=1 and with"
                            + " a binary log sync_binlog=1; Safety.STRICT does not notice a crash of the same server");
        }
        if (!settings.strict() && !variables.getOrDefault("replicas", "0").equals("0")) {
            warn(
                    "replicas",
                    "there are replicas; one that takes over may lack the last commits",
                    "use Safety.STRICT, or synchronous replication");
        }
    }

    private void tables(KeptConnection connection) throws SQLException {
        try {
            Meta meta = new Schema(connection.statements()).look(connection);
            ok("tables", connection.statements().table() + "_* have version " + meta.version());
            if (settings.strict() && connection.isPooled()) {
                fail("guard", Guard.behindAPooler());
            } else if (settings.strict()) {
                guard(meta);
            }
        } catch (LockStoreException unfit) {
            fail("tables", unfit);
        }
    }

    private void guard(Meta meta) {
        long seconds = (meta.shutUntilMicros() - meta.nowMicros()) / MICROS_PER_SECOND;
        if (meta.nowMicros() != 0 && seconds > 0) {
            warn(
                    "guard",
                    "the database was replaced by another one, or lost its tables: it grants nothing new for " + seconds
                            + " s",
                    "wait; holders keep what they have");
        } else {
            ok("guard", "it grants");
        }
    }

    /** Opens what a client opens: a pool may be too small, a pooler may swallow messages. */
    private void client(Dialect dialect) {
        try (Database database = new Database(settings.withoutCreating(), new ServerClock(), "doctor")) {
            database.start();
            ok("connections", (settings.connections() + (dialect.announces() ? 3 : 2)) + " at most for each client");
            if (dialect.announces() && PostgresListener.hears(database::open, PATIENCE)) {
                ok("messages", "arrive");
            } else if (dialect.announces()) {
                warn(
                        "messages",
                        "do not arrive, so waiting clients ask every few milliseconds",
                        "connect past the pooler, or let it pool sessions instead of transactions");
            }
        } catch (RuntimeException trouble) {
            fail("client", trouble);
        }
    }

    private static String message(String what, SQLException trouble) {
        return String.valueOf(ErrorMessages.of(what, trouble).getMessage());
    }

    private void ok(String check, String text) {
        findings.add(Finding.of(Level.OK, server, check, text, ""));
    }

    private void warn(String check, String text, String remedy) {
        findings.add(Finding.of(Level.WARN, server, check, text, remedy));
    }

    /** Our own messages say first what is wrong, and then what to do. */
    private void fail(String check, RuntimeException trouble) {
        String[] parts = String.valueOf(trouble.getMessage()).split("; ", 2);
        fail(check, parts[0], parts.length > 1 ? parts[1] : "");
    }

    private void fail(String check, String text, String remedy) {
        findings.add(Finding.of(Level.FAIL, server, check, text, remedy));
    }
}
