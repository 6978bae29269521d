package io.holdfast.cli.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Purchase;
import io.holdfast.examples.shop.Shop;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** The buyers of one sale in one worker, a thread for each click. Every user clicks twice, at two workers. */
final class Crowd {
    private final DataSource database;
    private final DistributedLock lock;
    private final Reports reports;
    /**
     * H2's pool asks again every millisecond when it is empty; hundreds who do that leave no time for anything else.
     */
    private final Semaphore connections = new Semaphore(Worker.CONNECTIONS);

    private final CountDownLatch door = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();

    Crowd(DataSource database, DistributedLock lock, Reports reports) {
        this.database = database;
        this.lock = lock;
        this.reports = reports;
    }

    void gather(Order sale) {
        int place = sale.number(0);
        int workers = sale.number(1);
        int users = sale.number(2);
        int paymentMillis = sale.number(3);
        boolean locked = sale.number(4) == 1;
        Shop shop = new Shop(database, user -> Thread.sleep(paymentMillis));
        for (int user = 0; user < users; user++) {
            if (user % workers == place || (user + 1) % workers == place) {
                start(shop, user, locked);
            }
        }
        reports.say(Kind.READY);
    }

    private void start(Shop shop, int user, boolean locked) {
        inside.incrementAndGet();
        Thread click = new Thread(() -> click(shop, user, locked), "user-" + user);
        click.setDaemon(true);
        click.start();
    }

    void letIn() {
        door.countDown();
    }

    private void click(Shop shop, int user, boolean locked) {
        try {
            door.await();
            if (locked) {
                try (Lease lease = lock.acquire()) {
                    buy(shop, user, lease.token());
                }
            } else {
                buy(shop, user, 0);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database refused user " + user, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (inside.decrementAndGet() == 0) {
            reports.say(Kind.DONE);
        }
    }

    private void buy(Shop shop, int user, long token) throws SQLException, InterruptedException {
        connections.acquire();
        try {
            reports.say(Kind.ENTERED, token, user);
            Purchase purchase = shop.buy(user);
            reports.say(purchase == Purchase.SOLD ? Kind.SOLD : Kind.TURNED_AWAY, token, user);
            reports.say(Kind.LEFT, token, user);
        } finally {
            connections.release();
        }
    }
}
