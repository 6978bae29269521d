package io.holdfast.spring.shedlock;

import io.holdfast.DurationText;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * The lock provider of ShedLock on Holdfast: {@code @SchedulerLock} and {@code LockingTaskExecutor} stay as they are.
 *
 * <p><b>Guarantees.</b> A job runs in one process at a time for as long as it takes, up to {@code lockAtMostFor}: the
 * lock is renewed while it runs, and is free soon after a crash, when its lease has ended, and not only after {@code
 * lockAtMostFor}. A job that goes on for longer loses the lock, as with any other provider, and the log says so.
 * {@code lockAtLeastFor} is kept after the job, also when the process ends meanwhile: {@link
 * io.holdfast.Held#closeAfter}.
 *
 * <p><b>Not guaranteed.</b> {@code lockAtLeastFor} of a process that dies while the job runs: then the lease decides.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> {@link io.holdfast.LockStoreException} when the store cannot be asked: the job is not run, and
 * that is not told as "locked by somebody else". {@link UnsupportedOperationException} before anything is locked where
 * a store cannot keep {@code lockAtLeastFor}, as ZooKeeper cannot; {@link IllegalArgumentException} where it is longer
 * than the store gives ({@link LockClient#longestCloseAfter()}). {@code LockExtender} is not supported: the lock is
 * renewed anyway, up to {@code lockAtMostFor}.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(LockClient client) {
 *     return new HoldfastLockProvider(client, "job:");
 * }
 * }</pre>
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // whoever uses this requires that library as well
public final class HoldfastLockProvider implements LockProvider {
    private final LockClient client;
    private final String prefix;
    private final LockOptions options;
    private final TimeSource time;

    /**
     * A provider with the client's default options.
     *
     * @param client makes the locks; not closed with the provider
     * @param prefix what names begin with; empty for nothing
     */
    public HoldfastLockProvider(LockClient client, String prefix) {
        this(client, prefix, client.defaults());
    }

    /**
     * A provider.
     *
     * @param client makes the locks; not closed with the provider
     * @param prefix what names begin with; empty for nothing
     * @param options how locks are held; {@code maxHold} is that of the job, and a lease that is longer is cut to it
     */
    public HoldfastLockProvider(LockClient client, String prefix, LockOptions options) {
        this.client = Objects.requireNonNull(client, "client");
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        this.options = Objects.requireNonNull(options, "options");
        this.time = TimeSource.system();
    }

    /**
     * Tries once.
     *
     * @param job the name, {@code lockAtMostFor} and {@code lockAtLeastFor}
     * @return the lock, or empty when somebody else has it
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration job) {
        ensureKept(job);
        Duration most = atLeastShortest(job.getLockAtMostFor());
        Duration lease = options.lease().compareTo(most) > 0 ? most : options.lease();
        return client.lock(prefix + job.getName(), options.renewedLease(lease).maxHold(most))
                .tryAcquire()
                .map(held -> new JobLock(held, job.getLockAtLeastFor(), time));
    }

    private static Duration atLeastShortest(Duration most) {
        return most.compareTo(LockOptions.SHORTEST_LEASE) < 0 ? LockOptions.SHORTEST_LEASE : most;
    }

    /** Refuses what could not be kept in the end, before anything is locked. */
    private void ensureKept(LockConfiguration job) {
        Duration least = job.getLockAtLeastFor();
        if (least.isZero()) {
            return;
        }
        Duration longest = client.longestCloseAfter()
                .orElseThrow(() -> new UnsupportedOperationException("lockAtLeastFor of job '" + job.getName() + "' is "
                        + DurationText.of(least)
                        + ", but in this store a lock ends with the process that holds it; leave it out, or use"
                        + " another store"));
        if (least.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "lockAtLeastFor of job '" + job.getName() + "' is " + DurationText.of(least)
                            + ", expected at most " + DurationText.of(longest)
                            + ", the longest lease that this store gives; ask for less, or"
                            + " raise longestLease() where the store has it");
        }
    }

    @Override
    public String toString() {
        return "HoldfastLockProvider of " + client + " for '" + prefix + "…'";
    }
}
