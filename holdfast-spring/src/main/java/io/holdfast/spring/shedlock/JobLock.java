package io.holdfast.spring.shedlock;

import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.SimpleLock;

/** What a job holds. */
final class JobLock implements SimpleLock {
    private static final Logger LOGGER = System.getLogger("io.holdfast.spring");

    private final Lease lease;
    private final Duration atLeastFor;
    private final TimeSource time;
    private final long sinceNanos;
    private final AtomicBoolean unlocked = new AtomicBoolean();

    JobLock(Lease lease, Duration atLeastFor, TimeSource time) {
        this.lease = lease;
        this.atLeastFor = atLeastFor;
        this.time = time;
        this.sinceNanos = time.nanoTime();
    }

    /** Never throws for the store: the job is done, and its result must not be hidden. */
    @Override
    public void unlock() {
        if (!unlocked.compareAndSet(false, true)) {
            throw new IllegalStateException("the lock of job '" + lease.name() + "' was given back already");
        }
        Duration left = atLeastFor.minusNanos(time.nanoTime() - sinceNanos);
        if (left.isZero() || left.isNegative()) {
            lease.close();
            return;
        }
        try {
            lease.closeAfter(left);
        } catch (LockException trouble) {
            LOGGER.log(
                    Level.WARNING, "lockAtLeastFor of job '" + lease.name() + "' is not kept: " + trouble.getMessage());
        }
    }

    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        throw new UnsupportedOperationException(
                "the lock of job '" + lease.name() + "' cannot be extended: it is renewed"
                        + " while the job runs, up to lockAtMostFor; make that as long as a job may ever take");
    }
}
