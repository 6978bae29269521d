package io.holdfast.jdbc;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockException;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take one lock in turns, and say what must not be: two leases of it that are valid at the same instant,
 * or
 * a token that is not greater than the one before. Trouble with the database is none of that.
 */
final class Load implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(500);

    private final AtomicReference<@Nullable Lease> inside = new AtomicReference<>();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicLong holds = new AtomicLong();
    private final AtomicLong troubles = new AtomicLong();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    void add(LockClient client, String name, LockOptions options) {
        Thread thread = new Thread(() -> take(client, name, options), "load-" + threads.size());
        threads.add(thread);
        thread.start();
    }

    private void take(LockClient client, String name, LockOptions options) {
        while (!over) {
            try {
                Optional<Lease> taken = client.lock(name, options).tryAcquire(WAIT);
                if (taken.isPresent()) {
                    hold(taken.get());
                }
            } catch (LockException outage) {
                troubles.incrementAndGet();
                Thread.onSpinWait();
            } catch (InterruptedException | RuntimeException | Error unexpected) {
                violations.add(String.valueOf(unexpected));
                return;
            }
        }
    }

    private void hold(Lease lease) {
        Lease before = inside.getAndSet(lease);
        if (before != null && before.isValid() && lease.isValid()) {
            violations.add("held twice, with tokens " + before.token() + " and " + lease.token());
        }
        long last = lastToken.getAndSet(lease.token());
        if (last >= lease.token() && lease.isValid()) {
            violations.add("token " + lease.token() + " after " + last);
        }
        holds.incrementAndGet();
        inside.compareAndSet(lease, null);
        lease.close();
    }

    long holds() {
        return holds.get();
    }

    /** How often somebody was told that the database does not work. */
    long troubles() {
        return troubles.get();
    }

    Queue<String> violations() {
        return violations;
    }

    /** Returns when so many more were held. */
    void awaitHolds(long more) {
        long before = holds.get();
        FaultBench.soon(more + " more holds").until(() -> holds.get() >= before + more || !violations.isEmpty());
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
