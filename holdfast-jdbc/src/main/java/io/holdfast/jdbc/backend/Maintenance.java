package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientLines;
import io.holdfast.spi.ServerClock;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What a client does now and then: say that it lives, look at the clock, and delete what nobody uses any more. */
final class Maintenance implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.holdfast.jdbc");

    /** How often to look whether there is something to say. */
    private static final int TURN_SECONDS = 2;

    /** So many turns without a change: then the row says that the client still lives. */
    private static final int TURNS_PER_SIGN = 10;

    /** Of so many turns one cleans up, on average. All clients draw. */
    private static final int TURNS_PER_CLEANING = 300;

    private static final int PORTIONS_PER_TURN = 20;

    private final Database database;
    private final Rows rows;
    private final HeldClaims held;
    private final ServerClock clock;
    private final TimeSource time;
    private final ClientRecord self;
    private final Supplier<List<ClientLine>> lines;
    private final ScheduledThreadPoolExecutor timer;
    private byte[] told = {};
    private int turn;
    private boolean cleaning;

    Maintenance(
            Database database,
            Rows rows,
            HeldClaims held,
            ServerClock clock,
            TimeSource time,
            ClientRecord self,
            String clientId,
            Supplier<List<ClientLine>> lines) {
        this.database = database;
        this.rows = rows;
        this.held = held;
        this.clock = clock;
        this.time = time;
        this.self = self;
        this.lines = lines;
        this.timer = new ScheduledThreadPoolExecutor(1, Threads.named("holdfast-jdbc-" + clientId + "-maintenance"));
    }

    /** The first sign is given before anybody relies on the client: a database that takes no writes is found out. */
    void start() {
        byte[] now = ClientLines.bytes(lines.get());
        database.first("write to the tables of the locks", connection -> sign(connection, now));
        told = now;
        turn = 1;
        timer.scheduleWithFixedDelay(this::turn, 0, TURN_SECONDS, TimeUnit.SECONDS);
    }

    private void turn() {
        try {
            held.tidy(time.nanoTime());
            database.tidy();
            database.reopen();
            byte[] now = ClientLines.bytes(lines.get());
            if (turn++ % TURNS_PER_SIGN == 0 || !Arrays.equals(now, told)) {
                database.inBackground("say that this client lives", connection -> sign(connection, now));
                told = now;
            }
            if (cleaning || ThreadLocalRandom.current().nextInt(TURNS_PER_CLEANING) == 0) {
                cleaning = cleanUp();
            }
        } catch (RuntimeException trouble) {
            LOG.log(Level.DEBUG, "could not maintain the tables", trouble);
        }
    }

    /**
     * Deletes what nobody uses, some rows at a time: those who wait need the connection, too. Returns whether there are
     * more, so that the next turn goes on: names that are used once must not pile up.
     */
    boolean cleanUp() {
        database.inBackground(
                "forget clients", connection -> connection.call("forgetClients").update());
        for (int portion = 0; portion < PORTIONS_PER_TURN; portion++) {
            if (database.inBackground("clean up", rows::clean) < Rows.PORTION) {
                return false;
            }
        }
        return true;
    }

    private boolean sign(KeptConnection connection, byte[] now) throws SQLException {
        long sentNanos = time.nanoTime();
        long nowMicros = rows.nowMicros(connection);
        clock.learn(sentNanos, time.nanoTime(), nowMicros);
        return self.write(connection, now);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        try {
            database.inBackground("forget this client", connection -> {
                self.remove(connection);
                return true;
            });
        } catch (RuntimeException trouble) {
            LOG.log(Level.DEBUG, "could not remove the row of this client", trouble);
        }
    }
}
