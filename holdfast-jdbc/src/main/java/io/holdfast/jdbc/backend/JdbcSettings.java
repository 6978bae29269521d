package io.holdfast.jdbc.backend;

import io.holdfast.spi.TimeSource;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * What a client on a database was told.
 *
 * @param dataSource where connections come from
 * @param table how the names of the tables begin
 * @param createsTables whether tables that do not exist are created
 * @param unlogged whether the locks are created without a write-ahead log
 * @param strict whether a database that may have forgotten grants nothing new for a while
 * @param longestLease the longest lease where it is strict
 * @param connections how many are kept for callers
 * @param requestTimeout how long a request may take
 * @param clientName for people
 * @param time the clocks of this process
 */
public record JdbcSettings(
        DataSource dataSource,
        String table,
        boolean createsTables,
        boolean unlogged,
        boolean strict,
        Duration longestLease,
        int connections,
        Duration requestTimeout,
        String clientName,
        TimeSource time) {

    /**
     * A connection is given up with its answer: a caller in a hurry must not cost one whenever the database takes a
     * breath.
     */
    private static final Duration LEAST_ANSWER = Duration.ofMillis(500);

    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final int DRIFT = 100;

    /** How long a caller with so much patience waits for an answer. */
    Duration answerWithin(Duration patience) {
        Duration most = patience.compareTo(requestTimeout) < 0 ? patience : requestTimeout;
        return most.compareTo(LEAST_ANSWER) > 0 || requestTimeout.compareTo(LEAST_ANSWER) < 0 ? most : LEAST_ANSWER;
    }

    /** The same for somebody who only looks. */
    JdbcSettings withoutCreating() {
        return new JdbcSettings(
                dataSource, table, false, unlogged, false, longestLease, connections, requestTimeout, clientName, time);
    }

    /** How long a database that may have forgotten grants nothing new: then every lease from before has ended. */
    Duration shutFor() {
        return longestLease.plus(longestLease.dividedBy(DRIFT)).plus(MARGIN);
    }
}
