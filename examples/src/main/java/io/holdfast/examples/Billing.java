package io.holdfast.examples;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** An election: one of two services does the billing, and the other takes over when the first is closed. */
public final class Billing {
    private Billing() {}

    /** Runs the example. */
    public static void main(String[] args) throws InterruptedException {
        MemoryStore store = new MemoryStore();
        try (Service north = new Service("north", store)) {
            north.led.await();
            north.orders.add("order:42");
            try (Service south = new Service("south", store)) {
                north.close();
                south.led.await();
            }
        }
    }

    /** A process of its own in real life, with a client of its own. */
    private static final class Service implements AutoCloseable {
        private final String name;
        private final LockClient locks;
        private final CountDownLatch led = new CountDownLatch(1);
        private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

        Service(String name, MemoryStore store) {
            this.name = name;
            this.locks = MemoryLocks.connect(store, LockOptions.defaults().label(name));
            locks.election("billing").stand(this::bill);
        }

        /** Leads until it returns. It is interrupted when the term is lost or the client is closed. */
        private void bill(Lease term) {
            System.out.println(name + " leads");
            led.countDown();
            try {
                while (term.isValid()) {
                    System.out.println(name + " bills " + orders.take());
                }
            } catch (InterruptedException over) {
                System.out.println(name + " stops");
            }
        }

        @Override
        public void close() {
            locks.close();
        }
    }
}
