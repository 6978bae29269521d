package io.holdfast.torture.overload;

import io.holdfast.Lease;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at the loaded process from inside, twenty times a second: how short the leases became, and how late a thread
 * is that only sleeps. The second is what the machine and the JVM do to every thread, those that renew among them.
 */
final class Observer {
    private static final long PAUSE_NANOS = 50_000_000;

    private final List<Lease> leases;
    private volatile long shortestMillis;
    private volatile long latestMillis;

    Observer(List<Lease> leases) {
        this.leases = leases;
        reset();
        Thread thread = new Thread(this::observe, "observer");
        thread.setDaemon(true);
        thread.start();
    }

    private void observe() {
        while (true) {
            long beganNanos = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            long lateNanos = System.nanoTime() - beganNanos - PAUSE_NANOS;
            long shortest = leases.stream()
                    .mapToLong(lease -> lease.remaining().toMillis())
                    .min()
                    .orElse(0);
            latestMillis = Math.max(latestMillis, lateNanos / 1_000_000);
            shortestMillis = Math.min(shortestMillis, shortest);
        }
    }

    void reset() {
        shortestMillis = Long.MAX_VALUE;
        latestMillis = 0;
    }

    /** What was left of the lease that came nearest to its end. */
    long shortestMillis() {
        return shortestMillis;
    }

    /** By how much a thread that only sleeps was late. */
    long latestMillis() {
        return latestMillis;
    }
}
