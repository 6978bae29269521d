package io.holdfast.examples.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the buttons of the page do: 128 customers want one of 50 anchors, sixteen at a time. */
@RestController
class Sales {
    private static final String ITEM = "anchor";
    private static final int AMOUNT = 50;
    private static final int CUSTOMERS = 128;
    private static final int AT_A_TIME = 16;

    private final Stock stock;
    private final Checkout checkout;

    Sales(Stock stock, Checkout checkout) {
        this.stock = stock;
        this.checkout = checkout;
    }

    /**
     * How a sale went.
     *
     * @param amount how many there were
     * @param sold how many were sold
     * @param tooMany how many customers wait for something that does not exist
     * @param millis how long it took
     */
    record Result(Way way, int amount, long sold, long tooMany, long millis) {}

    @PostMapping("/sales/{way}")
    Result sell(@PathVariable Way way) throws InterruptedException, ExecutionException {
        stock.fill(ITEM, AMOUNT);
        List<Callable<Boolean>> customers = new ArrayList<>();
        for (int i = 0; i < CUSTOMERS; i++) {
            customers.add(() -> checkout.buy(way, ITEM));
        }
        ExecutorService doors = Executors.newFixedThreadPool(AT_A_TIME);
        long beganNanos = System.nanoTime();
        try {
            for (Future<Boolean> each : doors.invokeAll(customers)) {
                each.get();
            }
        } finally {
            doors.shutdown();
        }
        long tookNanos = System.nanoTime() - beganNanos;
        long sold = stock.sold();
        return new Result(
                way,
                AMOUNT,
                sold,
                Math.max(0, sold - AMOUNT),
                Duration.ofNanos(tookNanos).toMillis());
    }
}
