package io.holdfast.jdbc;

import io.holdfast.DurationText;
import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.engine.LockEngine;
import io.holdfast.jdbc.backend.Examination;
import io.holdfast.jdbc.backend.JdbcBackend;
import io.holdfast.jdbc.backend.JdbcSettings;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The options of a client on a database. Each method returns this.
 *
 * <p><b>Failures.</b> {@link IllegalArgumentException} for an option out of its range; {@link
 * io.holdfast.LockStoreException} when the database cannot be reached or cannot be used.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * <pre>{@code
 * LockClient locks = JdbcLocks.builder(dataSource)
 *         .table("billing.holdfast")
 *         .createTables()
 *         .connect();
 * }</pre>
 *
 * @since 0.1
 */
public final class JdbcLocksBuilder {
    /** How the names of the tables begin, unless something else is said. */
    public static final String DEFAULT_TABLE = "holdfast";

    /** What databases take without quotes, with room for what comes behind. */
    private static final Pattern TABLE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,54}");

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final int LONGEST_NAME = 255;
    private static final int MOST_CONNECTIONS = 1_000;

    /** Nobody else needs them, and a database confirms many commits at once. */
    private static final int OWN_CONNECTIONS = 16;

    /** A pool belongs to the application. */
    private static final int BORROWED_CONNECTIONS = 4;

    private final DataSource dataSource;
    private String table = DEFAULT_TABLE;
    private boolean createsTables;
    private boolean unlogged;
    private Safety safety = Safety.AVAILABLE;
    private Duration longestLease = Duration.ofMinutes(1);
    private int connections;
    private Duration requestTimeout = Duration.ofSeconds(2);
    private String clientName = "";
    private LockOptions defaults = LockOptions.defaults();
    private Duration deadlockDelay = LockEngine.DEFAULT_DEADLOCK_DELAY;

    JdbcLocksBuilder(DataSource dataSource) {
        this.dataSource = dataSource;
        this.connections = dataSource instanceof UrlDataSource ? OWN_CONNECTIONS : BORROWED_CONNECTIONS;
    }

    /**
     * Sets how the names of the tables begin, so that applications that share a database do not meet.
     *
     * @param table letters, digits and underscores, at most 55, with a schema and a dot before it if wanted; {@value
     *     #DEFAULT_TABLE} if not set
     * @return this
     */
    public JdbcLocksBuilder table(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException(
                    "table is '" + table
                            + "', expected letters, digits and underscores, at most 55, with a schema and a dot before if wanted");
        }
        this.table = table;
        return this;
    }

    /**
     * Creates the tables that do not exist. The user needs the right to do so.
     *
     * @return this
     */
    public JdbcLocksBuilder createTables() {
        this.createsTables = true;
        return this;
    }

    /**
     * Creates the table of the locks without a write-ahead log, on PostgreSQL: faster, and emptied by a crash. So these
     * locks are always {@link Safety#STRICT}. Has no effect on tables that exist.
     *
     * @return this
     */
    public JdbcLocksBuilder unlogged() {
        this.createsTables = true;
        this.unlogged = true;
        this.safety = Safety.STRICT;
        return this;
    }

    /**
     * Sets what happens after a replica took over that may lack the last commits, or after the tables were emptied. All
     * clients must say the same.
     *
     * @param safety {@link Safety#AVAILABLE} if not set
     * @return this
     */
    public JdbcLocksBuilder safety(Safety safety) {
        if (unlogged && safety == Safety.AVAILABLE) {
            throw new IllegalArgumentException(
                    "safety is AVAILABLE, and unlogged() needs STRICT; leave one of them out");
        }
        this.safety = Objects.requireNonNull(safety, "safety");
        return this;
    }

    /**
     * Sets the longest lease that anybody may ask for with {@link Safety#STRICT}: a database that may have forgotten
     * waits at least so long. Must be the same in every client.
     *
     * @param lease up to a day; a minute if not set
     * @return this
     */
    public JdbcLocksBuilder longestLease(Duration lease) {
        this.longestLease = inRange("longestLease", lease, Duration.ofSeconds(1), LONGEST_LEASE);
        return this;
    }

    /**
     * Returns the longest lease that anybody may ask for.
     *
     * @return what {@link #longestLease(Duration)} says with {@link Safety#STRICT}; empty where any lease will do, as
     *     far
     *     as the options tell: tables that exist without a log have a limit too
     */
    public Optional<Duration> leaseLimit() {
        return safety == Safety.STRICT ? Optional.of(longestLease) : Optional.empty();
    }

    /**
     * Sets how many connections may be kept for callers. A caller needs one for the time of a round trip, not while it
     * holds or waits. They are opened when callers find none free, and closed when nobody has needed them for a minute.
     * Two more are kept besides, on PostgreSQL three.
     *
     * @param connections at least one; if not set, four of a data source and sixteen of a URL
     * @return this
     */
    public JdbcLocksBuilder connections(int connections) {
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw new IllegalArgumentException("connections is " + connections + ", expected 1 to " + MOST_CONNECTIONS);
        }
        this.connections = connections;
        return this;
    }

    /**
     * Sets how long one answer of the database may take. A statement of a lock that the database runs later than that
     * changes nothing. H2 is not held to it: its driver has no such limit.
     *
     * @param timeout from a millisecond to a minute; two seconds if not set
     * @return this
     */
    public JdbcLocksBuilder requestTimeout(Duration timeout) {
        this.requestTimeout = inRange("requestTimeout", timeout, SHORTEST, LONGEST);
        return this;
    }

    /**
     * Sets a name for people, shown beside every lock of this client.
     *
     * @param name at most 255 characters
     * @return this
     */
    public JdbcLocksBuilder clientName(String name) {
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "clientName has " + name.length() + " characters or one that cannot be printed, expected at most "
                            + LONGEST_NAME + " printable ones");
        }
        this.clientName = name;
        return this;
    }

    /**
     * Sets how locks are held for which nothing else is said.
     *
     * @param defaults the options
     * @return this
     */
    public JdbcLocksBuilder defaults(LockOptions defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    private static Duration inRange(String option, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(option + " is " + DurationText.of(value) + ", expected "
                    + DurationText.of(least) + " to " + DurationText.of(most));
        }
        return value;
    }

    /**
     * Sets how long somebody waits before this client looks for a deadlock, and about how long it is from one look to
     * the next.
     *
     * @param delay 250 ms to a minute, or zero to look for none; a second if not set
     * @return this
     */
    public JdbcLocksBuilder deadlockDelay(Duration delay) {
        this.deadlockDelay = LockEngine.checkedDeadlockDelay(delay);
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client, to be closed
     */
    public LockClient connect() {
        return LockEngine.start(newBackend(), defaults, deadlockDelay);
    }

    /**
     * Makes the backend without a client on it, for those who build on the engine themselves.
     *
     * @return a backend that was not started
     */
    public LockBackend newBackend() {
        return new JdbcBackend(settings(TimeSource.system()));
    }

    /** For tests: with clocks of their own. */
    LockBackend newBackend(TimeSource time) {
        return new JdbcBackend(settings(time));
    }

    /**
     * Looks at the database as a client would when it is opened, and further: its version, its tables, its clock, what
     * it keeps on disk, who would take over. Tells everything that is wrong, not the first thing only. Creates no
     * table.
     *
     * @return what was found
     */
    public List<Finding> examine() {
        return new Examination(settings(TimeSource.system())).run();
    }

    private JdbcSettings settings(TimeSource time) {
        return new JdbcSettings(
                dataSource,
                table,
                createsTables,
                unlogged,
                safety == Safety.STRICT,
                longestLease,
                connections,
                requestTimeout,
                clientName,
                time);
    }
}
