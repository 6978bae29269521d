package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.MultiLease;
import io.holdfast.MultiLock;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Locks taken one after another in one order, given back in the other. Whatever ends the taking early (time, interrupt, trouble, cancel) gives
 * back what was taken before the caller hears of it.
 */
final class EngineMultiLock implements MultiLock {

    /** One way to take one lock; null when it is not to be had. */
    private interface Take {
        @Nullable
        Lease from(EngineLock lock, Duration left) throws InterruptedException;
    }

    /** Gives back what a {@link Take} took; never throws. */
    private interface Undo {
        void of(EngineLock lock, Lease lease);
    }

    private static final Undo LEASES = (lock, lease) -> lease.close();

    /** What the thread had before it took this one more level of it is its own affair, lost or not. */
    private static final Undo LOCKS = (lock, lease) -> lock.undo();

    /** Longer than anybody will wait, and still a wait that a clock can count. */
    private static final Duration FOREVER = Duration.ofNanos(Request.FOREVER - 1);

    private final List<EngineLock> locks;
    private final TimeSource time;

    /** @param locks in the order in which to take them */
    EngineMultiLock(List<EngineLock> locks, TimeSource time) {
        this.locks = List.copyOf(locks);
        this.time = time;
    }

    @Override
    public List<String> names() {
        return locks.stream().map(EngineLock::name).toList();
    }

    @Override
    public Optional<MultiLease> tryAcquire() {
        return uninterrupted(
                Duration.ZERO, LEASES, (lock, left) -> lock.tryAcquire().orElse(null));
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return all(checked(wait), LEASES, (lock, left) -> lock.tryAcquire(left).orElse(null));
    }

    @Override
    public MultiLease acquire() {
        return uninterrupted(FOREVER, LEASES, (lock, left) -> lock.acquire()).orElseThrow();
    }

    @Override
    public MultiLease acquireInterruptibly() throws InterruptedException {
        return all(FOREVER, LEASES, (lock, left) -> lock.acquireInterruptibly()).orElseThrow();
    }

    private Optional<MultiLease> uninterrupted(Duration wait, Undo undo, Take take) {
        try {
            return all(wait, undo, take);
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    /** Takes all. A lease that ended while a later one was waited for makes it start over. */
    private Optional<MultiLease> all(Duration wait, Undo undo, Take take) throws InterruptedException {
        long startNanos = time.nanoTime();
        while (true) {
            List<Lease> taken = new ArrayList<>(locks.size());
            boolean valid = false;
            try {
                if (!takeAll(taken, wait, startNanos, take)) {
                    return Optional.empty();
                }
                MultiLease leases = new EngineMultiLease(taken);
                valid = leases.isValid();
                if (valid) {
                    return Optional.of(leases);
                }
            } finally {
                if (!valid) {
                    giveBack(taken, undo);
                }
            }
            if (wait.isZero() || left(wait, startNanos).isZero()) {
                return Optional.empty();
            }
        }
    }

    private boolean takeAll(List<Lease> taken, Duration wait, long startNanos, Take take) throws InterruptedException {
        for (EngineLock lock : locks) {
            Lease lease = take.from(lock, left(wait, startNanos));
            if (lease == null) {
                return false;
            }
            taken.add(lease);
        }
        return true;
    }

    private void giveBack(List<Lease> taken, Undo undo) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            undo.of(locks.get(i), taken.get(i));
        }
    }

    private Duration left(Duration wait, long startNanos) {
        if (wait.equals(FOREVER)) {
            return FOREVER;
        }
        Duration left = wait.minusNanos(time.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static Duration checked(Duration wait) {
        return Duration.ofNanos(Durations.waitNanos(wait));
    }

    // ---- futures

    @Override
    public CompletableFuture<MultiLease> acquireAsync() {
        return Deliveries.of(async(FOREVER), Optional::orElseThrow, taken -> taken.ifPresent(MultiLease::close));
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        return async(checked(wait));
    }

    private CompletableFuture<Optional<MultiLease>> async(Duration wait) {
        CompletableFuture<Optional<MultiLease>> answer = new CompletableFuture<>();
        next(wait, time.nanoTime(), new ArrayList<>(), answer);
        return answer;
    }

    private void next(
            Duration wait, long startNanos, List<Lease> taken, CompletableFuture<Optional<MultiLease>> answer) {
        if (taken.size() == locks.size()) {
            finish(wait, startNanos, new EngineMultiLease(taken), answer);
            return;
        }
        EngineLock lock = locks.get(taken.size());
        CompletableFuture<Optional<Lease>> one;
        try {
            one = lock.tryAcquireAsync(left(wait, startNanos));
        } catch (IllegalStateException closed) {
            giveBack(taken, LEASES);
            answer.completeExceptionally(closed);
            return;
        }
        answer.whenComplete((lease, failure) -> one.cancel(false));
        one.whenComplete((lease, failure) -> {
            if (failure == null && lease.isPresent()) {
                taken.add(lease.get());
                next(wait, startNanos, taken, answer);
                return;
            }
            giveBack(taken, LEASES);
            if (failure == null) {
                answer.complete(Optional.empty());
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    /** As in {@link #all}: what ended while a later one was waited for makes it start over. */
    private void finish(
            Duration wait, long startNanos, MultiLease taken, CompletableFuture<Optional<MultiLease>> answer) {
        boolean valid = taken.isValid();
        if (!valid && !wait.isZero() && !left(wait, startNanos).isZero()) {
            taken.close();
            next(wait, startNanos, new ArrayList<>(), answer);
        } else if (!answer.complete(valid ? Optional.of(taken) : Optional.empty()) || !valid) {
            taken.close();
        }
    }

    // ---- java.util.concurrent.locks.Lock

    @Override
    public void lock() {
        uninterrupted(FOREVER, LOCKS, (lock, left) -> {
            lock.lock();
            return lock.lease();
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        all(FOREVER, LOCKS, (lock, left) -> {
            lock.lockInterruptibly();
            return lock.lease();
        });
    }

    @Override
    public boolean tryLock() {
        return uninterrupted(Duration.ZERO, LOCKS, (lock, left) -> lock.tryLock() ? lock.lease() : null)
                .isPresent();
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return tryLockFor(wait <= 0 ? Duration.ZERO : Duration.ofNanos(unit.toNanos(wait)));
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLockFor(checked(wait));
    }

    private boolean tryLockFor(Duration most) throws InterruptedException {
        return all(
                        most,
                        LOCKS,
                        (lock, left) -> lock.tryLock(left.toNanos(), TimeUnit.NANOSECONDS) ? lock.lease() : null)
                .isPresent();
    }

    /** All or none: a thread that has nothing to unlock of one name keeps what it has of the others. */
    @Override
    public void unlock() {
        locks.forEach(EngineLock::ensureOwed);
        RuntimeException first = null;
        for (int i = locks.size() - 1; i >= 0; i--) {
            try {
                locks.get(i).unlock();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public String toString() {
        return "MultiLock" + names();
    }
}
