package io.holdfast.spring;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Bean;

/** 128 buyers, 16 at a time, of which 50 may get something. */
final class DoubleSale {

    /** The lock begins inside the transaction. */
    static class Inside {
        @Bean
        LockedSettings settings() {
            return LockedSettings.defaults().waitFor("60s").order(Integer.MAX_VALUE);
        }
    }

    /** The lock begins before the transaction. */
    static class Outside {
        @Bean
        LockedSettings settings() {
            return LockedSettings.defaults().waitFor("60s");
        }
    }

    static final int STOCK = 50;
    static final int BUYERS = 128;
    static final int THREADS = 16;

    /** What came of a round: how many think that they bought, and how many were refused with an exception. */
    record Result(long sold, long refused) {}

    static final Result ALL_SOLD = new Result(STOCK, 0);
    static final Result ALL_REFUSED = new Result(0, BUYERS);

    private DoubleSale() {}

    static Result round(Callable<Boolean> buy) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Integer>> buyers = IntStream.range(0, BUYERS)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        try {
                            return buy.call() ? 1 : 0;
                        } catch (LockedTooLateException refused) {
                            return -1;
                        }
                    }))
                    .toList();
            start.countDown();
            long sold = 0;
            long refused = 0;
            for (Future<Integer> each : buyers) {
                int outcome = each.get(60, TimeUnit.SECONDS);
                sold += Math.max(0, outcome);
                refused += Math.max(0, -outcome);
            }
            return new Result(sold, refused);
        } finally {
            threads.shutdownNow();
        }
    }
}
