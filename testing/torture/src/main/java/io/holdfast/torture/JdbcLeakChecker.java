package io.holdfast.torture;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the tables of the locks: whoever holds or waits has an end, and once all clients are gone nobody holds or
 * waits, and all their connections are closed.
 */
final class JdbcLeakChecker extends LeakChecker {
    /** How long a place in a line lasts. */
    private static final Duration PLACE = Duration.ofSeconds(6);

    private static final Duration SLACK = Duration.ofSeconds(4);
    private static final String LOCKS = Site.PREFIX + "_lock";

    private final JdbcSite site;
    private final Duration longest;
    private long laterLooks;

    JdbcLeakChecker(JdbcSite site, Duration longestLease) {
        super(site, longestLease);
        this.site = site;
        this.longest = longestLease.compareTo(PLACE) > 0 ? longestLease : PLACE;
    }

    private boolean isPostgres() {
        return site.server().toString().equals("PostgreSQL");
    }

    private String clock() {
        return isPostgres()
                ? "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)"
                : "CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)";
    }

    private String key() {
        return isPostgres() ? "encode(k, 'escape')" : "CONVERT(k USING utf8mb4)";
    }

    /** Whose end lies this far ahead; the witness of the guard has none. */
    private String rows(Duration ahead) {
        return "SELECT " + key() + " FROM " + LOCKS + " WHERE (client IS NOT NULL OR doc IS NOT NULL) AND free_at > "
                + clock() + " + " + ahead.toNanos() / 1_000;
    }

    /** A clock that was set back leaves ends far ahead, until somebody asks for that name: so it has to last. */
    @Override
    synchronized void sample() {
        try {
            boolean late = !ask(rows(longest.plus(SLACK))).isEmpty();
            laterLooks = late ? laterLooks + 1 : 0;
            if (laterLooks == SLACK.plus(longest).toSeconds()) {
                complain("ends too far ahead: " + ask(rows(longest.plus(SLACK))));
            }
            looked();
        } catch (SQLException down) {
            laterLooks = 0;
        }
    }

    @Override
    synchronized void checkEnd() {
        Duration time = longest.plus(SLACK);
        Patience.until(time, () -> {
            try {
                return remains().isEmpty();
            } catch (SQLException down) {
                return false;
            }
        });
        try {
            List<String> remains = remains();
            if (!remains.isEmpty()) {
                complain("left in " + site.server() + " after " + time + ": " + remains);
            }
            looked();
        } catch (SQLException down) {
            complain(site.server() + " does not answer: " + down.getMessage());
        }
    }

    private List<String> remains() throws SQLException {
        List<String> remains = new ArrayList<>(ask(rows(Duration.ZERO)));
        remains.addAll(
                ask(
                        isPostgres()
                                ? "SELECT 'connection ' || pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                                : "SELECT CONCAT('connection ', id) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user <> 'system user'"));
        return remains;
    }

    private List<String> ask(String question) throws SQLException {
        try (Connection connection = site.server().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            List<String> answers = new ArrayList<>();
            while (rows.next()) {
                answers.add(rows.getString(1));
            }
            return answers;
        }
    }
}
