package io.holdfast.torture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Others use the same database, and are in the way: locks, backups, limits, too many of them. */
final class CrowdedDatabase {
    private static final String TABLE = Site.PREFIX + "_lock";
    private static final int MANY = 500;

    private final JdbcSite site;

    CrowdedDatabase(JdbcSite site) {
        this.site = site;
    }

    /** What somebody does with a connection. */
    private interface Work {
        String with(Connection connection, Statement statement) throws SQLException;
    }

    private String somebody(Work work) {
        try (Connection connection = site.server().connect();
                Statement statement = connection.createStatement()) {
            return work.with(connection, statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    String lockTable(Rng rng) {
        long millis = briefOrLong(rng);
        return somebody((connection, statement) -> {
            connection.setAutoCommit(false);
            statement.execute(
                    site.isPostgres()
                            ? "LOCK TABLE " + TABLE + " IN ACCESS EXCLUSIVE MODE"
                            : "LOCK TABLES " + TABLE + " WRITE");
            Threads.sleep(millis);
            connection.rollback();
            if (!site.isPostgres()) {
                statement.execute("UNLOCK TABLES");
            }
            return TABLE + " locked by somebody for " + millis + " ms";
        });
    }

    private static long briefOrLong(Rng rng) {
        return rng.chance(60) ? rng.between(100, 2_000) : rng.between(2_000, 10_000);
    }

    String lockRow(Rng rng) {
        long millis = briefOrLong(rng);
        return somebody((connection, statement) -> {
            List<byte[]> keys = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT k FROM " + TABLE + " ORDER BY k")) {
                while (rows.next()) {
                    keys.add(rows.getBytes(1));
                }
            }
            if (keys.isEmpty()) {
                return "no row to lock";
            }
            connection.setAutoCommit(false);
            try (PreparedStatement lock =
                    connection.prepareStatement("SELECT version FROM " + TABLE + " WHERE k = ? FOR UPDATE")) {
                lock.setBytes(1, keys.get(rng.below(keys.size())));
                lock.executeQuery().close();
                Threads.sleep(millis);
            }
            connection.rollback();
            return "one of " + keys.size() + " rows locked by somebody for " + millis + " ms";
        });
    }

    /** MariaDB tells it to new connections only, so the others are ended. */
    String limitStatements(Rng rng) {
        long limit = rng.between(1, 30);
        long millis = rng.between(500, 4_000);
        return somebody((connection, statement) -> {
            if (site.isPostgres()) {
                statement.execute("SET statement_timeout = 0"); // nobody's limit is this one's
                statement.execute("ALTER SYSTEM SET statement_timeout = " + limit);
                statement.execute("SELECT pg_reload_conf()");
                Threads.sleep(millis);
                statement.execute("ALTER SYSTEM RESET statement_timeout");
                statement.execute("SELECT pg_reload_conf()");
            } else {
                List<Long> mine = List.of(id(connection));
                statement.execute("SET GLOBAL max_statement_time = " + limit / 1_000.0);
                endOthers(statement, mine);
                Threads.sleep(millis);
                statement.execute("SET GLOBAL max_statement_time = 0");
                endOthers(statement, mine);
            }
            return "statements ended after " + limit + " ms, for " + millis + " ms";
        });
    }

    /** Some of the time the clients' own are ended and taken, too. */
    String takeConnections(Rng rng) {
        long millis = rng.between(500, 5_000);
        boolean all = rng.chance(50);
        List<Connection> taken = new ArrayList<>();
        try {
            return somebody((connection, statement) -> {
                takeWhatIsLeft(taken);
                if (all) {
                    List<Long> mine = new ArrayList<>(List.of(id(connection)));
                    for (Connection each : taken) {
                        mine.add(id(each));
                    }
                    endOthers(statement, mine);
                    takeWhatIsLeft(taken);
                }
                Threads.sleep(millis);
                return taken.size() + " connections taken for " + millis + " ms"
                        + (all ? ", after all others were ended" : "");
            });
        } finally {
            taken.forEach(CrowdedDatabase::close);
        }
    }

    private void takeWhatIsLeft(List<Connection> taken) {
        try {
            while (taken.size() < MANY) {
                taken.add(site.server().connect());
            }
        } catch (SQLException full) {
            // that was the last one
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // it is gone
        }
    }

    private long id(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet id = statement.executeQuery(
                        site.isPostgres() ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()")) {
            id.next();
            return id.getLong(1);
        }
    }

    private void endOthers(Statement statement, List<Long> mine) throws SQLException {
        List<Long> others = new ArrayList<>();
        try (ResultSet ids = statement.executeQuery(
                site.isPostgres()
                        ? "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                        : "SELECT id FROM information_schema.processlist WHERE user <> 'system user'")) {
            while (ids.next()) {
                others.add(ids.getLong(1));
            }
        }
        others.removeAll(mine);
        for (long each : others) {
            try {
                statement.execute(site.isPostgres() ? "SELECT pg_terminate_backend(" + each + ")" : "KILL " + each);
            } catch (SQLException gone) {
                // by itself, meanwhile
            }
        }
    }

    /** As pg_dump and mysqldump --single-transaction do. */
    String backUp(Rng rng) {
        long millis = rng.between(500, 6_000);
        return somebody((connection, statement) -> {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            statement.execute(
                    site.isPostgres()
                            ? "LOCK TABLE " + TABLE + " IN ACCESS SHARE MODE"
                            : "START TRANSACTION WITH CONSISTENT SNAPSHOT");
            long before = versions(statement);
            Threads.sleep(millis);
            long after = versions(statement);
            connection.rollback();
            if (before != after) {
                throw new IllegalStateException("a snapshot saw " + before + " and then " + after);
            }
            return "everything read in one snapshot for " + millis + " ms";
        });
    }

    private static long versions(Statement statement) throws SQLException {
        try (ResultSet sum = statement.executeQuery("SELECT COALESCE(SUM(version), 0) FROM " + TABLE)) {
            sum.next();
            return sum.getLong(1);
        }
    }
}
