package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.examples.shop.Shop;
import io.holdfast.memory.MemoryLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A flash sale: 100 vouchers, one per user, and everybody clicks twice. Without a lock more are sold than there are;
 * with one it comes out even. {@code ./holdfast demo} does the same with several processes.
 */
public final class FlashSale {
    private static final int VOUCHERS = 100;
    private static final int USERS = 200;
    private static final int AT_THE_SAME_TIME = 50;

    private FlashSale() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:flash-sale", "sa", "");
        database.setMaxConnections(AT_THE_SAME_TIME);
        // The bank takes a millisecond.
        Shop shop = new Shop(database, user -> Thread.sleep(1));
        shop.build();

        shop.open(VOUCHERS);
        everybodyClicksTwice(shop::buy);
        System.out.println("without a lock: " + shop.sales());

        try (LockClient locks = MemoryLocks.create()) {
            DistributedLock lock = locks.lock("vouchers");
            shop.open(VOUCHERS);
            everybodyClicksTwice(user -> {
                try (Lease lease = lock.acquire()) {
                    shop.buy(user);
                }
            });
            System.out.println("with a lock: " + shop.sales());
        }
        database.dispose();
    }

    private static void everybodyClicksTwice(Click click) throws InterruptedException, ExecutionException {
        List<Callable<Void>> clicks = new ArrayList<>();
        for (int i = 0; i < 2 * USERS; i++) {
            long user = i / 2;
            clicks.add(() -> {
                click.by(user);
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(AT_THE_SAME_TIME);
        try {
            for (Future<Void> each : threads.invokeAll(clicks)) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @FunctionalInterface
    private interface Click {
        void by(long user) throws Exception;
    }
}
