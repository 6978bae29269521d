package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.fence.FenceEntry;
import io.holdfast.fence.JdbcFence;
import io.holdfast.fence.StaleTokenException;
import io.holdfast.memory.MemoryLocks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A write that a fence refuses because it comes too late. Takes the JDBC URL of a PostgreSQL or H2 database; without
 * one, H2 in memory. Its tables are its own, and it leaves none behind.
 */
public final class FencedWrite implements AutoCloseable {
    private static final String NAME = "account:1";
    private static final String ACCOUNT = "holdfast_example_account";
    private static final String FENCE = "holdfast_example_fence";

    /**
     * Usually {@code JdbcFence.create()}. Here a table that can be dropped, because the fence of your own locks may be
     * in that one.
     */
    private final JdbcFence fence = JdbcFence.inTable(FENCE);

    private final Connection connection;

    private FencedWrite(Connection connection) {
        this.connection = connection;
    }

    /** Runs the example. */
    public static void main(String[] args) throws SQLException {
        String url = args.length > 0 ? args[0] : "jdbc:h2:mem:";
        try (Connection connection = DriverManager.getConnection(url);
                FencedWrite example = new FencedWrite(connection)) {
            example.prepare();
            example.run();
        }
    }

    private void prepare() throws SQLException {
        // A run that was killed left them behind.
        dropTables();
        fence.createTable(connection);
        update("CREATE TABLE " + ACCOUNT + " (balance INT NOT NULL)");
        update("INSERT INTO " + ACCOUNT + " VALUES (100)");
        connection.setAutoCommit(false);
    }

    private void run() throws SQLException {
        // Nothing renews this lease: it stands for a process that is paused for longer than its lease.
        LockOptions brief = LockOptions.defaults().fixedLease(Duration.ofMillis(200));
        try (LockClient locks = MemoryLocks.create();
                Lease slow = locks.lock(NAME, brief).acquire()) {
            FenceEntry slowEntry = FenceEntry.of(slow);
            int read = read(slowEntry);
            System.out.println("slow reads " + read);
            secondHolder(locks.lock(NAME));
            try {
                write(slowEntry, read - 10);
                System.out.println("slow writes " + (read - 10));
            } catch (StaleTokenException late) {
                System.out.println("slow is refused");
            }
        }
        System.out.println("balance: " + balance());
    }

    /** Gets the lock once the lease of the first holder has ended. */
    private void secondHolder(DistributedLock lock) throws SQLException {
        try (Lease next = lock.acquire()) {
            FenceEntry entry = FenceEntry.of(next);
            int balance = read(entry) - 20;
            write(entry, balance);
            System.out.println("next writes " + balance);
        }
    }

    /**
     * Enters before it reads: from here on nobody with a smaller token gets in. With the lease at hand it is
     * {@code fence.enter(connection, lease)}, which asks the clocks first; here only the database decides.
     */
    private int read(FenceEntry holder) throws SQLException {
        fence.enter(connection, holder.name(), holder.token(), holder.holder());
        int balance = balance();
        connection.commit();
        return balance;
    }

    private void write(FenceEntry holder, int balance) throws SQLException {
        try {
            fence.enter(connection, holder.name(), holder.token(), holder.holder());
            update("UPDATE " + ACCOUNT + " SET balance = " + balance);
            connection.commit();
        } catch (StaleTokenException late) {
            connection.rollback();
            throw late;
        }
    }

    private int balance() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT balance FROM " + ACCOUNT)) {
            result.next();
            return result.getInt(1);
        }
    }

    /** Drops the tables, also after a failure in the middle of a transaction. */
    @Override
    public void close() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        dropTables();
    }

    private void dropTables() throws SQLException {
        update("DROP TABLE IF EXISTS " + ACCOUNT);
        update("DROP TABLE IF EXISTS " + FENCE);
    }

    private void update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
