package io.holdfast.examples.spring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Sells one item to one customer, in one transaction. */
@Component
class Checkout {
    private static final long PAYMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Stock stock;

    Checkout(Stock stock) {
        this.stock = stock;
    }

    @Transactional
    boolean buy(Way way, String item) {
        boolean sold = switch (way) {
            case BY_HAND -> stock.takeByHand(item);
            case AT_RETURN -> stock.takeAtReturn(item);
            case LOCKED -> stock.takeLocked(item);
            case FENCED -> stock.takeFenced(item);
        };
        if (sold) {
            LockSupport.parkNanos(PAYMENT_NANOS); // the bank, before the commit
        }
        return sold;
    }
}
