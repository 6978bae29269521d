package io.holdfast.torture;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One thread of a worker: takes a lock, does its work under it, gives it back, again and again. */
final class Toil implements Runnable {
    /** Longer than a free lock may go unnoticed, so that a stuck waiter is seen waiting. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration IMPATIENCE = Duration.ofMillis(50);

    /** What is also taken through {@code Lock}. */
    static final List<Subject> VIEWED = List.of(Subject.LINE, Subject.QUIET, Subject.FIXED);

    private static final int VIEWED_PERCENT = 30;
    private static final Set<String> MENTIONED = ConcurrentHashMap.newKeySet();

    private final LockClient client;
    private final EventLog log;
    private final Baton baton;
    private final int storePort;
    private final String name;
    private final Optional<Subject> devotion;
    private final boolean quorum;
    private final Duration longestLease;
    private final Rng rng;
    private final LockUser user;

    /**
     * @param devotion the only one that this thread takes, and holds for long
     * @param quorum whether a semaphore needs more nodes than all else: then few wait for it, or nobody would be left
     *     for the rest
     * @param longestLease of all that are in use
     */
    Toil(
            LockClient client,
            EventLog log,
            Baton baton,
            int storePort,
            String name,
            Optional<Subject> devotion,
            boolean quorum,
            Duration longestLease,
            LossLog losses,
            Rng rng) {
        this.client = client;
        this.log = log;
        this.baton = baton;
        this.storePort = storePort;
        this.name = name;
        this.devotion = devotion;
        this.quorum = quorum;
        this.longestLease = longestLease;
        this.rng = rng;
        this.user = new LockUser(client, log, name, longestLease, losses, rng);
    }

    @Override
    public void run() {
        try (FenceClient fence = new FenceClient(storePort)) {
            while (baton.next()) {
                once(fence);
            }
        } catch (IOException | RuntimeException e) {
            log.write('T', System.nanoTime(), name + " ended by " + e);
            e.printStackTrace();
        }
    }

    private void once(FenceClient fence) throws IOException {
        Subject subject = devotion.orElseGet(() -> Subject.pick(rng));
        if (VIEWED.contains(subject) && rng.chance(VIEWED_PERCENT)) {
            user.once(subject, fence);
            return;
        }
        int weight = weight(subject);
        log.write('W', System.nanoTime(), name, subject);
        try {
            boolean hurried = quorum && subject.kind() == Subject.Kind.SEMAPHORE && rng.chance(95);
            Lease lease = acquire(acquirable(subject, weight), hurried);
            if (lease == null) {
                log.write('N', System.nanoTime(), name, subject, "busy");
            } else {
                hold(subject, weight, lease, fence);
                Thread.sleep(rng.below(4));
            }
        } catch (LockStoreException e) {
            log.write('N', System.nanoTime(), name, subject, e.getClass().getSimpleName());
            mention(e);
            rest();
        } catch (InterruptedException e) {
            log.write('N', System.nanoTime(), name, subject, "interrupted");
        }
    }

    /** Reports every kind of trouble once, in the file that is read afterwards. */
    static void mention(LockStoreException trouble) {
        String message = String.valueOf(trouble.getMessage());
        if (MENTIONED.add(message.replaceAll("[A-Z]{2,}|[0-9.]+", "#"))) {
            System.err.println(System.nanoTime() + " " + message);
        }
    }

    /** An interrupt means that there is no more work; the baton says so. */
    private void rest() {
        try {
            Thread.sleep(rng.between(10, 60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int weight(Subject subject) {
        return switch (subject.kind()) {
            case LOCK -> 1;
            case READ_WRITE -> rng.chance(30) ? subject.capacity() : 1;
            case SEMAPHORE -> 1 + rng.below(subject.capacity());
        };
    }

    private Acquirable<Lease> acquirable(Subject subject, int weight) {
        return switch (subject.kind()) {
            case LOCK -> client.lock(subject.name(), subject.options(longestLease));
            case READ_WRITE ->
                weight == 1
                        ? client.readWriteLock(subject.name(), subject.options(longestLease))
                                .readLock()
                        : client.readWriteLock(subject.name(), subject.options(longestLease))
                                .writeLock();
            case SEMAPHORE ->
                client.semaphore(subject.name(), subject.capacity(), subject.options(longestLease))
                        .taking(weight);
        };
    }

    /** Reads, works and writes back. */
    static void add(EventLog log, String name, Subject subject, LeaseWatch watch, FenceClient fence, long workMillis)
            throws IOException {
        long token = watch.lease().token();
        FenceClient.Entry entry = fence.enter(subject, token);
        if (!entry.welcome() && watch.lease().isValid()) {
            log.write('S', System.nanoTime(), name, subject, token);
        }
        watch.during(workMillis);
        fence.write(subject, token, entry.value() + 1, entry.twin() + 1);
    }

    private @Nullable Lease acquire(Acquirable<Lease> lock, boolean hurried) throws InterruptedException {
        int draw = rng.below(hurried ? 25 : 100);
        Optional<Lease> lease;
        if (draw < 15) {
            lease = lock.tryAcquire();
        } else if (draw < 25) {
            lease = lock.tryAcquire(IMPATIENCE);
        } else if (draw < 60) {
            lease = lock.tryAcquire(PATIENCE);
        } else {
            return lock.acquireInterruptibly();
        }
        return lease.orElse(null);
    }

    private void hold(Subject subject, int weight, Lease lease, FenceClient fence) throws IOException {
        try (lease) {
            LeaseWatch watch = new LeaseWatch(lease);
            if (watch.isOver()) {
                log.write('N', watch.startNanos(), name, subject, "over");
                return;
            }
            long token = lease.token();
            log.write('A', watch.startNanos(), name, subject, weight, token, watch.deadlineNanos());
            if (weight == subject.capacity()) {
                add(log, name, subject, watch, fence, workMillis(subject, rng));
            } else {
                watch.during(workMillis(subject, rng));
            }
            log.write('E', watch.end(), name, subject, token);
        }
    }

    /** Mostly nothing, so that the lock is what takes the time. */
    static long workMillis(Subject subject, Rng rng) {
        int draw = rng.below(100);
        if (subject == Subject.LONG && draw < 40) {
            return rng.between(500, 2_500);
        }
        if (subject == Subject.KEPT) {
            return draw < 70 ? rng.between(7_000, 15_000) : rng.between(0, 50);
        }
        if (subject == Subject.FIXED && draw < 1) {
            return rng.between(600, 1_000);
        }
        return draw < 88 ? 0 : rng.between(1, 20);
    }
}
