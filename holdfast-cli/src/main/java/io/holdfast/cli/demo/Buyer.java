package io.holdfast.cli.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.cli.demo.WorkerLine.Kind;
import io.holdfast.examples.shop.Payment;
import io.holdfast.examples.shop.Purchase;
import io.holdfast.examples.shop.Shop;
import io.holdfast.fence.FenceEntry;
import io.holdfast.fence.StaleTokenException;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** One buyer who holds the lock until told to leave. */
final class Buyer {
    private final DataSource database;
    private final DistributedLock lock;
    private final Reports reports;
    private final CountDownLatch till;

    /** @param till opened when the buyer may write */
    Buyer(DataSource database, DistributedLock lock, Reports reports, CountDownLatch till) {
        this.database = database;
        this.lock = lock;
        this.reports = reports;
        this.till = till;
    }

    /** Looks, and stays at the till. Nothing is written. */
    void stand(int user) {
        start(user, lease -> new Shop(database, atTill(lease, 0)).buy(user));
    }

    /**
     * Looks behind the fence, pays, asks the lease, stays at the till, and writes without asking again: what a process
     * does that is stopped between its last check and the write. The fence gets the token only, so that nothing but the
     * database can refuse.
     */
    void buyLate(int user, int paymentMillis) {
        start(user, lease -> new Shop(database, atTill(lease, paymentMillis)).buyFenced(user, FenceEntry.of(lease)));
    }

    void buy(int user) {
        start(user, lease -> new Shop(database, atOnce -> {}).buyFenced(user, FenceEntry.of(lease)));
    }

    private Payment atTill(Lease lease, int paymentMillis) {
        return user -> {
            Thread.sleep(paymentMillis);
            lease.ensureValid();
            reports.say(Kind.CHECKED, lease.token(), lease.remaining().toMillis());
            till.await();
        };
    }

    private void start(int user, Errand errand) {
        Thread thread = new Thread(() -> untilDone(user, errand), "user-" + user);
        thread.setDaemon(true);
        thread.start();
    }

    private void untilDone(int user, Errand errand) {
        boolean done = false;
        while (!done) {
            done = run(user, errand);
        }
    }

    /**
     * @return false if the lease was lost before it was asked, as on a machine that stands still for a while, or if the
     *     database was too busy: nothing was written, and the errand can begin again
     */
    private boolean run(int user, Errand errand) {
        try (Lease lease = lock.acquire()) {
            long token = lease.token();
            reports.say(Kind.ENTERED, token, user);
            try {
                Purchase purchase = errand.run(lease);
                reports.say(purchase == Purchase.SOLD ? Kind.SOLD : Kind.TURNED_AWAY, token, user);
            } catch (StaleTokenException late) {
                reports.say(Kind.REFUSED, token, late.stored().token());
            }
            reports.say(Kind.LEFT, token, user);
        } catch (LockLostException | SQLTransientException early) {
            return false;
        } catch (SQLException e) {
            throw new IllegalStateException("the database refused user " + user, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    @FunctionalInterface
    private interface Errand {
        Purchase run(Lease lease) throws SQLException, InterruptedException;
    }
}
