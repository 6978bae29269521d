package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.Connections;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The connections of one client: some for callers, one for renewals, one for what is done in the background. */
final class Database implements AutoCloseable {
    private static final Duration OPENING = Duration.ofSeconds(10);

    private final JdbcSettings settings;
    private final TimeSource time;
    private final ServerClock clock;
    private final Connections callers;
    private final Connections renewals;
    private final Connections background;
    private volatile @Nullable Statements statements;
    private volatile @Nullable Guard guard;
    private volatile String storeId = "";

    Database(JdbcSettings settings, ServerClock clock, String clientId) {
        this.settings = settings;
        this.time = settings.time();
        this.clock = clock;
        ThreadFactory threads = Threads.named("holdfast-jdbc-" + clientId + "-connections");
        this.callers = new Connections(this::open, threads, time, settings.connections());
        this.renewals = new Connections(this::open, threads, time, 1);
        this.background = new Connections(this::open, threads, time, 1);
    }

    /** Finds out which database it is and whether it can be used, and creates the tables if that was asked for. */
    Statements start() {
        Statements found = callers.with("open the locks", OPENING, OPENING, first -> {
            Statements known = first.statements();
            Schema schema = new Schema(known);
            if (settings.createsTables()) {
                schema.create(first.connection(), settings.unlogged());
            }
            long sentNanos = time.nanoTime();
            Meta meta = schema.check(first);
            clock.learn(sentNanos, time.nanoTime(), meta.nowMicros());
            storeId = meta.store();
            if (settings.strict() || schema.isUnlogged(first)) {
                Guard fresh = new Guard(settings.shutFor());
                fresh.check(first);
                guard = fresh;
            }
            return known;
        });
        // A pool without room for them would be found out when leases have to be renewed.
        renewals.with("open a connection for renewals", OPENING, OPENING, connection -> true);
        background.with("open a connection for waiting", OPENING, OPENING, connection -> true);
        return found;
    }

    boolean isGuarded() {
        return guard != null;
    }

    /** Opens a connection that is nobody else's. */
    KeptConnection open() throws SQLException {
        Connection connection = settings.dataSource().getConnection();
        Statements known = statements;
        if (known == null) {
            try {
                known = new Statements(Dialect.of(connection), settings.table());
            } catch (SQLException | RuntimeException unfit) {
                connection.close();
                throw unfit;
            }
            statements = known;
        }
        KeptConnection kept = new KeptConnection(connection, known, time.nanoTime());
        Guard current = guard;
        if (current != null) {
            try {
                kept.timeout((int) OPENING.toMillis());
                current.check(kept);
            } catch (SQLException | RuntimeException unfit) {
                kept.drop();
                throw unfit;
            }
        }
        return kept;
    }

    Connections callers() {
        return callers;
    }

    Connections renewals() {
        return renewals;
    }

    /** A short step for a caller. */
    <T> T call(String what, Connections.Work<T> work) {
        return callers.with(what, settings.requestTimeout(), settings.requestTimeout(), work);
    }

    /** A step without which a client is not opened. */
    <T> T first(String what, Connections.Work<T> work) {
        return background.with(what, OPENING, OPENING, work);
    }

    /** A step that nobody waits for. */
    <T> T inBackground(String what, Connections.Work<T> work) {
        return background.with(what, settings.requestTimeout(), settings.requestTimeout(), work);
    }

    /** Closes connections that nobody needs any more. */
    void tidy() {
        callers.tidy();
    }

    /** Notes that a shut database grants again, when it does. */
    void reopen() {
        Guard current = guard;
        if (current != null && current.isShut()) {
            inBackground("note that the database grants again", connection -> {
                current.reopen(connection);
                return true;
            });
        }
    }

    String storeId() {
        return storeId;
    }

    @Override
    public void close() {
        callers.close();
        renewals.close();
        background.close();
    }
}
