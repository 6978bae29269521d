package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A real database with the fence's table and a table of counters, and connections that are closed after each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcFenceFixture {
    static final String A = "a-client:1";
    static final String B = "b-client:7";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration A_WHILE = Duration.ofMillis(150);

    final JdbcFence fence = JdbcFence.create();

    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger names = new AtomicInteger();
    private TestDatabase database;

    /** The database under test. */
    abstract TestDatabase start() throws SQLException;

    interface Work<T> {
        T run(Connection connection) throws Exception;
    }

    @BeforeAll
    void startDatabase() throws SQLException {
        database = start();
        try (Connection connection = database.connect()) {
            fence.createTable(connection);
            execute(connection, "CREATE TABLE counter (name VARCHAR(50) PRIMARY KEY, total BIGINT NOT NULL)");
        }
    }

    @AfterAll
    void endDatabase() {
        threads.shutdownNow();
        database.close();
    }

    @AfterEach
    void closeConnections() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    TestDatabase database() {
        return database;
    }

    /** A name that no other test uses. */
    String newName() {
        return "order:" + names.incrementAndGet();
    }

    /** A connection with auto-commit off, closed after the test. */
    Connection transaction() throws SQLException {
        return transaction(database.connect());
    }

    Connection transaction(Connection connection) throws SQLException {
        connections.add(connection);
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs a transaction of its own, from the first statement to the commit. */
    <T> T committed(Work<T> work) throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (Exception e) {
                connection.rollback();
                throw e;
            }
        }
    }

    void enterCommitted(String name, long token, String holder) throws Exception {
        committed(connection -> {
            fence.enter(connection, name, token, holder);
            return token;
        });
    }

    Optional<FenceEntry> current(String name) throws SQLException {
        try (Connection connection = database.connect()) {
            return fence.current(connection, name);
        }
    }

    void assertCurrent(String name, long token, String holder) throws SQLException {
        assertThat(current(name)).contains(new FenceEntry(name, token, holder));
    }

    <T> CompletableFuture<T> inThread(Work<T> work, Connection connection) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(work.run(connection));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    static void assertWaits(CompletableFuture<?> future) {
        Awaitility.await().during(A_WHILE).atMost(PATIENCE).until(() -> !future.isDone());
    }

    static <T> T result(CompletableFuture<T> future) throws InterruptedException, TimeoutException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    static Throwable failure(CompletableFuture<?> future) throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("expected a failure, got " + future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    // ---- the protected data

    String newCounter() throws Exception {
        String name = newName();
        committed(connection -> execute(connection, "INSERT INTO counter VALUES ('" + name + "', 0)"));
        return name;
    }

    static long total(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT total FROM counter WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getLong(1);
            }
        }
    }

    long total(String name) throws Exception {
        return committed(connection -> total(connection, name));
    }

    static void write(Connection connection, String name, long total) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE counter SET total = ? WHERE name = ?")) {
            statement.setLong(1, total);
            statement.setString(2, name);
            assertThat(statement.executeUpdate()).isOne();
        }
    }

    static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }
}
