package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.MultiLease;
import io.holdfast.MultiLock;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Several locks as one. {@link TakeAll} takes them all or none, for every way of acquiring. */
final class EngineMultiLock implements MultiLock {

    /** One way to take one lock; null when it cannot be taken now. */
    private interface Take {
        @Nullable
        Lease from(EngineLock lock, TakeAll taking) throws InterruptedException;
    }

    private static final TakeAll.Undo LEASES = (lock, lease) -> lease.close();

    /** Takes back one level only: what the thread held before, lost or not, stays as it was. */
    private static final TakeAll.Undo LOCKS = (lock, lease) -> lock.undo();

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
        return uninterrupted(Duration.ZERO, LEASES, (lock, taking) -> lock.acquireUninterruptibly(0, false, taking));
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return all(checked(wait), LEASES, EngineMultiLock::interruptibly);
    }

    @Override
    public MultiLease acquire() {
        return uninterrupted(
                        TakeAll.FOREVER,
                        LEASES,
                        (lock, taking) -> lock.acquireUninterruptibly(Request.FOREVER, false, taking))
                .orElseThrow();
    }

    @Override
    public MultiLease acquireInterruptibly() throws InterruptedException {
        return all(TakeAll.FOREVER, LEASES, EngineMultiLock::interruptibly).orElseThrow();
    }

    private static @Nullable Lease interruptibly(EngineLock lock, TakeAll taking) throws InterruptedException {
        return lock.acquireInterruptibly(taking.left().toNanos(), lock.options, false, taking);
    }

    private Optional<MultiLease> uninterrupted(Duration wait, TakeAll.Undo undo, Take take) {
        try {
            return all(wait, undo, take);
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    private Optional<MultiLease> all(Duration wait, TakeAll.Undo undo, Take take) throws InterruptedException {
        TakeAll taking = new TakeAll(locks, undo, wait, time);
        MultiLease all = null;
        try {
            do {
                for (EngineLock lock = taking.next(); lock != null; lock = taking.next()) {
                    Lease lease = take.from(lock, taking);
                    if (lease == null) {
                        return Optional.empty();
                    }
                    taking.took(lease);
                }
                all = taking.complete();
            } while (all == null && taking.mayStartOver());
            return Optional.ofNullable(all);
        } finally {
            if (all == null) {
                taking.giveBack();
            }
        }
    }

    private static Duration checked(Duration wait) {
        return Duration.ofNanos(Durations.waitNanos(wait));
    }

    // ---- futures

    @Override
    public CompletableFuture<MultiLease> acquireAsync() {
        return Deliveries.of(
                async(TakeAll.FOREVER), Optional::orElseThrow, taken -> taken.ifPresent(MultiLease::close));
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        return async(checked(wait));
    }

    private CompletableFuture<Optional<MultiLease>> async(Duration wait) {
        CompletableFuture<Optional<MultiLease>> answer = new CompletableFuture<>();
        next(new TakeAll(locks, LEASES, wait, time), answer);
        return answer;
    }

    private void next(TakeAll taking, CompletableFuture<Optional<MultiLease>> answer) {
        EngineLock lock = taking.next();
        if (lock == null) {
            complete(taking, answer);
            return;
        }
        CompletableFuture<Optional<Lease>> one;
        try {
            one = lock.tryAcquireAsync(taking.left(), taking);
        } catch (IllegalStateException closed) {
            taking.giveBack();
            answer.completeExceptionally(closed);
            return;
        }
        answer.whenComplete((lease, failure) -> one.cancel(false));
        one.whenComplete((lease, failure) -> {
            if (failure == null && lease.isPresent()) {
                taking.took(lease.get());
                next(taking, answer);
                return;
            }
            taking.giveBack();
            if (failure == null) {
                answer.complete(Optional.empty());
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    private void complete(TakeAll taking, CompletableFuture<Optional<MultiLease>> answer) {
        MultiLease all = taking.complete();
        if (all == null && taking.mayStartOver()) {
            next(taking, answer);
        } else if (!answer.complete(Optional.ofNullable(all)) && all != null) {
            all.close();
        }
    }

    // ---- java.util.concurrent.locks.Lock

    @Override
    public void lock() {
        uninterrupted(TakeAll.FOREVER, LOCKS, (lock, taking) -> {
            lock.lock();
            return lock.lease();
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        all(TakeAll.FOREVER, LOCKS, (lock, taking) -> {
            lock.lockInterruptibly();
            return lock.lease();
        });
    }

    @Override
    public boolean tryLock() {
        return uninterrupted(Duration.ZERO, LOCKS, (lock, taking) -> lock.tryLock() ? lock.lease() : null)
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
                        (lock, taking) ->
                                lock.tryLock(taking.left().toNanos(), TimeUnit.NANOSECONDS) ? lock.lease() : null)
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
