package io.holdfast.docs;

import io.holdfast.LockClient;
import io.holdfast.redis.RedisLocks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.h2.jdbcx.JdbcDataSource;
import org.redisson.api.RedissonClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import redis.clients.jedis.RedisClient;

/**
 * What a fragment of a page may take for granted: a client that is open, a database with an account, and work to do.
 * Public, as its heirs are compiled into packages of their own.
 */
public abstract class Scaffold implements AutoCloseable {
    private final Stage stage;

    /** A client on a real Redis server. */
    protected final LockClient locks;

    /** A database with one account that has 100. */
    protected final DataSource dataSource;

    /** A client of the same Redis server. */
    protected final RedisClient jedis;

    private final List<AnnotationConfigApplicationContext> spring = new ArrayList<>();

    protected final Job job = new Job();
    protected final Catalog catalog = new Catalog();

    protected Scaffold(Stage stage) throws SQLException {
        this.stage = stage;
        stage.clear();
        locks = RedisLocks.connect(stage.url());
        jedis = RedisClient.create(stage.url());
        dataSource = newDatabase();
    }

    /** The block. */
    public abstract void run() throws Exception;

    private static DataSource newDatabase() throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT)");
            statement.execute("INSERT INTO account VALUES (1, 100)");
            statement.execute("CREATE TABLE job_run (name VARCHAR(100), ran_on DATE, PRIMARY KEY (name, ran_on))");
        }
        return source;
    }

    /** One more client, of another process as far as anybody can tell. */
    protected LockClient another() {
        return RedisLocks.connect(stage.url());
    }

    /**
     * A bean of a Spring application with locks, transactions and the database.
     *
     * @param type of the bean
     * @param more beans
     */
    protected <T> T bean(Class<T> type, Class<?>... more) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        spring.add(context);
        context.setClassLoader(type.getClassLoader());
        context.registerBean(LockClient.class, () -> locks, definition -> definition.setDestroyMethodName(""));
        context.registerBean(DataSource.class, () -> dataSource);
        context.register(SpringStage.class, type);
        for (Class<?> each : more) {
            context.register(each);
        }
        context.refresh();
        return context.getBean(type);
    }

    protected RedissonClient redisson() {
        return stage.redisson();
    }

    protected CuratorFramework curator() {
        return stage.curator();
    }

    protected void ship(long token) {
        job.step(token);
    }

    protected void bill(long token) {
        job.step(token);
    }

    protected void export() {
        job.step(1);
    }

    protected void transfer(long from, long to) {
        job.step(from + to);
    }

    protected long read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = 1")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    protected void write(Connection connection, long balance) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE account SET balance = " + balance + " WHERE id = 1");
        }
    }

    @Override
    public void close() throws SQLException {
        spring.forEach(AnnotationConfigApplicationContext::close);
        locks.close();
        jedis.close();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    /** Work that can be stopped. */
    protected static final class Job {
        private final AtomicLong steps = new AtomicLong();
        private volatile boolean cancelled;

        void step(long token) {
            if (token < 1) {
                throw new IllegalArgumentException("token is " + token + ", expected a real one");
            }
            steps.incrementAndGet();
        }

        public long steps() {
            return steps.get();
        }

        public void cancel() {
            cancelled = true;
        }

        public boolean isCancelled() {
            return cancelled;
        }

        public void save() {
            steps.incrementAndGet();
        }
    }

    /** Something to read and to write. */
    protected static final class Catalog {
        private volatile String text = "1 anchor, 2 buoys";

        public String read() {
            return text;
        }

        public void write(String text) {
            this.text = text;
        }
    }
}
