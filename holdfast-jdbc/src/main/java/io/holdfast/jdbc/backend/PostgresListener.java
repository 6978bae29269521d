package io.holdfast.jdbc.backend;

import io.holdfast.jdbc.database.Connections;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens for messages of PostgreSQL, on a connection and a thread of its own. The driver's own methods are found by
 * reflection, so that users of other databases do not need the driver.
 *
 * <p>A pooler in front of the database may take the {@code LISTEN} and deliver nothing. So each connection sends a
 * message to itself first, and is believed when that came back. Behind a pooler another connection sends it: what a
 * statement of the same connection causes comes back with its answer, and nothing else does.
 */
final class PostgresListener implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.holdfast.jdbc");
    private static final int TURN_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 5_000;

    /** So many turns without a test: then one shows whether the connection still lives. */
    private static final int TURNS_PER_TEST = 10;

    /** As long as the other connections are kept. */
    private static final long MOST_AGE_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final String TEST = "test";

    private final Connections.Source source;
    private final String channel;
    private final TimeSource time;
    private final ObjLongConsumer<String> listener;
    private final Runnable missed;
    private final Thread thread;
    private volatile boolean arrive;
    private volatile boolean closed;

    PostgresListener(
            Connections.Source source,
            String client,
            TimeSource time,
            ObjLongConsumer<String> listener,
            Runnable missed) {
        this.source = source;
        this.channel = channel(client);
        this.time = time;
        this.listener = listener;
        this.missed = missed;
        this.thread = Threads.named("holdfast-jdbc-" + client + "-listener").newThread(this::listen);
    }

    static String channel(String client) {
        return "holdfast_" + client;
    }

    /** Whether a message to oneself comes back. */
    static boolean hears(Connections.Source source, Duration patience) {
        CountDownLatch heard = new CountDownLatch(1);
        TimeSource time = TimeSource.system();
        try (PostgresListener listener =
                new PostgresListener(source, "doctor", time, (payload, nanos) -> {}, heard::countDown)) {
            listener.start();
            return heard.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void start() {
        thread.start();
    }

    /** Whether messages arrive, as far as is known. */
    boolean arrive() {
        return arrive;
    }

    private void listen() {
        while (!closed) {
            try {
                KeptConnection connection = source.open();
                try {
                    connection.timeout(ANSWER_MILLIS);
                    listen(connection);
                } finally {
                    arrive = false;
                    connection.close();
                }
            } catch (SQLException | ReflectiveOperationException | RuntimeException trouble) {
                LOG.log(Level.DEBUG, "PostgreSQL's messages do not arrive; asking instead", trouble);
            }
            if (!closed) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void listen(KeptConnection kept) throws SQLException, ReflectiveOperationException {
        Connection connection = kept.connection();
        Class<?> type = Class.forName(
                "org.postgresql.PGConnection", false, connection.getClass().getClassLoader());
        Object driver = connection.unwrap(type);
        Method wait = type.getMethod("getNotifications", int.class);
        execute(connection, "LISTEN \"" + channel + "\"");
        boolean tested = true;
        long openedNanos = time.nanoTime();
        for (int turn = 0; !closed && time.nanoTime() - openedNanos <= MOST_AGE_NANOS; turn++) {
            if (turn % TURNS_PER_TEST == 0) {
                arrive &= tested;
                tested = false;
                test(kept);
            }
            @Nullable Object[] heard = (Object[]) invoke(wait, driver);
            long receivedNanos = time.nanoTime();
            for (Object each : heard == null ? new Object[0] : heard) {
                String payload = (String) Class.forName(
                                "org.postgresql.PGNotification",
                                false,
                                each.getClass().getClassLoader())
                        .getMethod("getParameter")
                        .invoke(each);
                if (payload.equals(TEST)) {
                    tested = true;
                    if (!arrive) {
                        arrive = true;
                        missed.run();
                    }
                } else {
                    listener.accept(payload, receivedNanos);
                }
            }
        }
    }

    private void test(KeptConnection listening) throws SQLException {
        KeptConnection sender = listening.isPooled() ? source.open() : listening;
        try {
            sender.timeout(ANSWER_MILLIS);
            execute(sender.connection(), "SELECT pg_notify('" + channel + "', '" + TEST + "')");
        } finally {
            if (sender != listening) {
                sender.close();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static @Nullable Object invoke(Method wait, Object driver) throws SQLException, IllegalAccessException {
        try {
            return wait.invoke(driver, TURN_MILLIS);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof SQLException trouble) {
                throw trouble;
            }
            throw new IllegalStateException("the driver threw", thrown.getCause());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
