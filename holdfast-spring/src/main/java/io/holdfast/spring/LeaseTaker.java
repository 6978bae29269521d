package io.holdfast.spring;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.MultiLease;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a client for some names of one kind: all or none, within one wait. Mutexes are one {@code allOf}; of the other
 * kinds one name is asked for after the other, in the order of the names, so that two callers cannot wait for each
 * other.
 */
final class LeaseTaker {
    /** A hundred years, which every clock of the engine can count. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final LockClient client;
    private final LockRules rules;
    private final LockOptions options;

    LeaseTaker(LockClient client, LockRules rules) {
        this.client = client;
        this.rules = rules;
        this.options = rules.options().apply(client.defaults());
    }

    static LockKind lockKind(Locked.Kind kind) {
        return switch (kind) {
            case LOCK -> LockKind.LOCK;
            case READ, WRITE -> LockKind.READ_WRITE;
            case PERMIT -> LockKind.SEMAPHORE;
        };
    }

    /** Returns empty when the time is up; an empty {@code wait} has no end. */
    Optional<List<Lease>> take(List<String> names, Optional<Duration> wait) throws InterruptedException {
        if (names.size() == 1) {
            return take(single(names.get(0)), wait).map(List::of);
        }
        if (rules.kind() == Locked.Kind.LOCK) {
            return take(client.allOf(names, options), wait).map(MultiLease::leases);
        }
        return takeInTurn(names, wait);
    }

    private Optional<List<Lease>> takeInTurn(List<String> names, Optional<Duration> wait) throws InterruptedException {
        long start = TimeSource.system().nanoTime();
        List<Lease> taken = new ArrayList<>(names.size());
        boolean complete = false;
        try {
            for (String name : names.stream().sorted().toList()) {
                Optional<Lease> lease = take(single(name), wait.map(most -> left(most, start)));
                if (lease.isEmpty()) {
                    return Optional.empty();
                }
                taken.add(lease.get());
            }
            complete = true;
            return Optional.of(List.copyOf(taken));
        } finally {
            if (!complete) {
                taken.forEach(Lease::close);
            }
        }
    }

    private static Duration left(Duration most, long start) {
        Duration left = most.minusNanos(TimeSource.system().nanoTime() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static <L extends io.holdfast.Held> Optional<L> take(Acquirable<L> lock, Optional<Duration> wait)
            throws InterruptedException {
        if (wait.isEmpty()) {
            return Optional.of(lock.acquireInterruptibly());
        }
        return wait.get().isZero() ? lock.tryAcquire() : lock.tryAcquire(wait.get());
    }

    /** As {@link #take}, without a thread. */
    Taking takeAsync(List<String> names, Optional<Duration> wait) {
        if (names.size() == 1) {
            return Taking.of(takeAsync(single(names.get(0)), wait), List::of);
        }
        if (rules.kind() == Locked.Kind.LOCK) {
            return Taking.of(takeAsync(client.allOf(names, options), wait), MultiLease::leases);
        }
        long start = TimeSource.system().nanoTime();
        return Taking.inTurn(
                names.stream().sorted().toList(), name -> takeAsync(single(name), wait.map(most -> left(most, start))));
    }

    private static <L extends io.holdfast.Held> CompletableFuture<Optional<L>> takeAsync(
            Acquirable<L> lock, Optional<Duration> wait) {
        return lock.tryAcquireAsync(wait.orElse(FOREVER));
    }

    private Acquirable<Lease> single(String name) {
        return switch (rules.kind()) {
            case LOCK -> client.lock(name, options);
            case READ -> client.readWriteLock(name, options).readLock();
            case WRITE -> client.readWriteLock(name, options).writeLock();
            case PERMIT -> client.semaphore(name, rules.permits(), options);
        };
    }
}
