package io.holdfast.jdbc;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.testing.databases.TestDatabase;
import io.holdfast.testing.process.Opened;
import io.holdfast.testing.process.Patience;
import io.holdfast.testing.redis.FaultProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tables of its own for each test, and whatever the test opens is closed after it. */
final class FaultBench implements AfterEachCallback {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Opened opened = new Opened();
    private final String table = "f" + COUNT.incrementAndGet();

    String table() {
        return table;
    }

    /** With tables that are created, and time for a machine that is busy. */
    JdbcLocksBuilder builder(TestDataSource.Source source) {
        return JdbcLocks.builder(new TestDataSource(source))
                .table(table)
                .createTables()
                .requestTimeout(Duration.ofSeconds(8));
    }

    /** The same with trips that are given up soon, for those that will get no answer. */
    JdbcLocksBuilder hasty(TestDataSource.Source source) {
        return builder(source).requestTimeout(Duration.ofSeconds(1));
    }

    JdbcLocksBuilder builder(TestDatabase database) {
        return builder(database::connect);
    }

    LockClient client(JdbcLocksBuilder builder) {
        return open(builder.connect());
    }

    LockClient client(TestDatabase database) {
        return client(builder(database));
    }

    /** A proxy before a server, and what connects through it. */
    FaultProxy proxy(io.holdfast.testing.databases.DatabaseServer server) {
        return open(FaultProxy.ofBytes(server.host(), server.port()));
    }

    static TestDataSource.Source through(FaultProxy proxy, io.holdfast.testing.databases.DatabaseServer server) {
        return () -> DriverManager.getConnection(server.url(proxy.port()));
    }

    <T extends AutoCloseable> T open(T what) {
        return opened.open(what);
    }

    static LockOptions lease(long millis) {
        return LockOptions.defaults().lease(Duration.ofMillis(millis));
    }

    static LockOptions fixedLease(long millis) {
        return LockOptions.defaults().fixedLease(Duration.ofMillis(millis));
    }

    static void execute(TestDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    static ConditionFactory soon(String what) {
        return new Patience(PATIENCE).soon(what);
    }

    /** Longer than something that must not end by then. */
    static void passes(Duration time) {
        new Patience(PATIENCE).passes(System.nanoTime() + time.toNanos());
    }

    /** Waits until a lease that is valid all the time has been renewed, which is seen in the time that is left. */
    static void awaitRenewal(Lease lease) {
        new Patience(PATIENCE).grows("a renewal", lease::remaining, lease::isValid);
    }

    static <T> T get(CompletableFuture<T> future) {
        return new Patience(PATIENCE).get(future);
    }

    /** Gives back what was only tried. */
    static Lease closed(Lease lease) {
        lease.close();
        return lease;
    }

    /** On a thread of its own. */
    static <T> CompletableFuture<T> async(java.util.concurrent.Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable failure) {
                        result.completeExceptionally(failure);
                    }
                },
                "async");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        opened.close();
    }
}
