package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.examples.articles.ExpiringLock;
import io.holdfast.examples.articles.InsertLock;
import io.holdfast.jdbc.JdbcLocks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The "MySQL lock" of the classic articles, what goes wrong with it, and the same in Holdfast. Takes the JDBC URL of a
 * MySQL, MariaDB, PostgreSQL or H2 database; without one, H2 in memory. Its tables are its own, and it leaves none
 * behind.
 */
public final class TableLocks {
    private static final String NAME = "order:42";
    private static final String TABLES = "holdfast_example";

    private final String url;
    private final Connection connection;

    private TableLocks(String url, Connection connection) {
        this.url = url;
        this.connection = connection;
    }

    /** Runs the example. */
    public static void main(String[] args) throws SQLException {
        String url = args.length > 0 ? args[0] : "jdbc:h2:mem:articles";
        try (Connection connection = DriverManager.getConnection(url)) {
            TableLocks example = new TableLocks(url, connection);
            example.dropTables(); // a run that was killed left them behind
            try {
                example.insertAndDelete();
                example.withExpiry();
                example.withHoldfast();
            } finally {
                example.dropTables();
            }
        }
    }

    private void insertAndDelete() throws SQLException {
        System.out.println("-- INSERT locks, DELETE unlocks");
        update(InsertLock.schema());
        InsertLock other = new InsertLock(connection);
        try (Connection crashes = DriverManager.getConnection(url)) {
            InsertLock lock = new InsertLock(crashes);
            System.out.println("A locks: " + lock.tryLock(NAME));
            System.out.println("A locks again, in a method that it calls: " + lock.tryLock(NAME));
            System.out.println("B asks, and cannot wait: " + other.tryLock(NAME));
        }
        System.out.println("A crashed. B asks, today or in a year: " + other.tryLock(NAME));
    }

    private void withExpiry() throws SQLException {
        System.out.println("-- the same with a time at which it ends");
        update(ExpiringLock.schema());
        Duration minute = Duration.ofMinutes(1);
        ExpiringLock a = new ExpiringLock(connection, Clock.systemUTC());
        ExpiringLock b = new ExpiringLock(connection, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
        ExpiringLock c = new ExpiringLock(connection, Clock.systemUTC());
        System.out.println("A locks for a minute: " + a.tryLock(NAME, minute));
        System.out.println("B, whose clock is an hour ahead, takes it away: " + b.tryLock(NAME, minute));
        a.unlock(NAME);
        System.out.println("A is done, and deleted the row of B. C locks beside B: " + c.tryLock(NAME, minute));
    }

    private void withHoldfast() {
        System.out.println("-- the same with Holdfast");
        LockOptions brief = LockOptions.defaults().fixedLease(Duration.ofMillis(300));
        try (LockClient a = open();
                LockClient b = open()) {
            reenter(a.lock(NAME));
            // Nothing renews it, and nobody gives it back: as if A had crashed.
            Lease crashed = a.lock(NAME, brief).acquire();
            System.out.println("A crashed. B waits, and has it when the lease is over");
            CompletableFuture<Lease> waiting;
            try (Lease next = b.lock(NAME).acquire()) {
                crashed.close();
                boolean stillThere = next.isValid() && a.lock(NAME).tryAcquire().isEmpty();
                System.out.println("A comes back and gives back. B still has it: " + stillThere);
                System.out.println("a fence would refuse A: " + (next.token() > crashed.token()));
                waiting = a.lock(NAME).acquireAsync();
            }
            waiting.join().close();
            System.out.println("B gives back, and A, who waited, gets it");
        }
    }

    private static void reenter(DistributedLock lock) {
        lock.lock();
        try {
            System.out.println("A locks, and locks again in a method that it calls: " + inner(lock));
        } finally {
            lock.unlock();
        }
    }

    private static boolean inner(DistributedLock lock) {
        lock.lock();
        try {
            return lock.isHeldByCurrentThread();
        } finally {
            lock.unlock();
        }
    }

    private LockClient open() {
        return JdbcLocks.builder(url, "", "").table(TABLES).createTables().connect();
    }

    private void dropTables() throws SQLException {
        for (String table :
                List.of(InsertLock.TABLE, ExpiringLock.TABLE, TABLES + "_lock", TABLES + "_client", TABLES + "_meta")) {
            update("DROP TABLE IF EXISTS " + table);
        }
    }

    private void update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
