package io.holdfast.cli.demo;

import io.holdfast.DistributedLock;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.examples.shop.Shop;
import io.holdfast.redis.RedisLocks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A process of the shop: hundreds of buyers, one lock client, a pool of database connections. Obeys the orders of its
 * standard input, and ends at once when that ends, because then its parent is gone.
 */
public final class Worker {
    static final String LOCK = "vouchers";
    static final int CONNECTIONS = 16;
    private static final int PATIENCE_SECONDS = 60;
    private static final int GONE = 1;
    private static final int BROKEN = 2;

    private final Reports reports = new Reports(System.out);
    private final JdbcConnectionPool database;
    private final DistributedLock lock;
    private final DistributedLock brief;
    private Crowd crowd;
    private CountDownLatch till = new CountDownLatch(1);

    private Worker(WorkerSettings settings) throws SQLException, InterruptedException {
        database = JdbcConnectionPool.create(settings.jdbcUrl(), DemoDatabase.USER, settings.password());
        database.setMaxConnections(CONNECTIONS);
        database.setLoginTimeout(PATIENCE_SECONDS);
        LockClient locks = RedisLocks.builder(settings.redisUrl())
                .clientName(settings.name())
                .connect();
        warmUp(settings, locks);
        // Fixed, because a lease that is renewed begins with a few seconds when it comes from the holder before: too
        // little for a machine that stands still.
        lock = locks.lock(
                LOCK, LockOptions.defaults().fixedLease(LockOptions.defaults().lease()));
        brief = locks.lock(LOCK, LockOptions.defaults().lease(settings.lease()));
        crowd = new Crowd(database, lock, reports);
    }

    /** The first use of anything takes longer than all the others: not when it counts. */
    private void warmUp(WorkerSettings settings, LockClient locks) throws SQLException, InterruptedException {
        locks.lock("warm-up:" + settings.name()).acquire().close();
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(database.getConnection());
        }
        for (Connection each : all) {
            each.close();
        }
        new Shop(database, nobodyPays -> {}).buy(0);
    }

    /** Runs until its standard input ends. */
    public static void main(String[] none) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(BROKEN);
        });
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Worker worker = new Worker(WorkerSettings.read(in));
            worker.reports.say(WorkerLine.Kind.CONNECTED);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                worker.obey(Order.parse(line));
            }
        } catch (IOException | SQLException | InterruptedException | RuntimeException failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(BROKEN);
        }
        Runtime.getRuntime().halt(GONE);
    }

    private void obey(Order order) {
        switch (order.verb()) {
            case SALE -> {
                crowd = new Crowd(database, lock, reports);
                crowd.gather(order);
            }
            case GO -> crowd.letIn();
            case STAND -> new Buyer(database, brief, reports, till).stand(order.number(0));
            case LATE -> {
                till = new CountDownLatch(1);
                new Buyer(database, brief, reports, till).buyLate(order.number(0), order.number(1));
            }
            case WRITE -> till.countDown();
            case BUY -> new Buyer(database, brief, reports, till).buy(order.number(0));
        }
    }
}
