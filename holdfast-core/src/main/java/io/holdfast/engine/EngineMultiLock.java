package io.holdfast.engine;

import io.holdfast.DistributedLock;
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

    /** One way to take one lock; null or false when it is not to be had. */
    private interface Take<T> {
        @Nullable
        T from(DistributedLock lock, Duration left) throws InterruptedException;
    }

    /** Longer than anybody will wait, and still a wait that a clock can count. */
    private static final Duration FOREVER = Duration.ofNanos(Request.FOREVER - 1);

    private final List<DistributedLock> locks;
    private final TimeSource time;

    /** @param locks in the order in which to take them */
    EngineMultiLock(List<DistributedLock> locks, TimeSource time) {
        this.locks = List.copyOf(locks);
        this.time = time;
    }

    @Override
    public List<String> names() {
        return locks.stream().map(DistributedLock::name).toList();
    }

    @Override
    public Optional<MultiLease> tryAcquire() {
        return uninterrupted(Duration.ZERO, (lock, left) -> lock.tryAcquire().orElse(null));
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return all(checked(wait), (lock, left) -> lock.tryAcquire(left).orElse(null));
    }

    @Override
    public MultiLease acquire() {
        return uninterrupted(FOREVER, (lock, left) -> lock.acquire()).orElseThrow();
    }

    @Override
    public MultiLease acquireInterruptibly() throws InterruptedException {
        return all(FOREVER, (lock, left) -> lock.acquireInterruptibly()).orElseThrow();
    }

    private Optional<MultiLease> uninterrupted(Duration wait, Take<Lease> take) {
        try {
            return all(wait, take);
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    /** Takes all. A lease that ended while a later one was waited for makes it start over. */
    private Optional<MultiLease> all(Duration wait, Take<Lease> take) throws InterruptedException {
        long startNanos = time.nanoTime();
        while (true) {
            Optional<MultiLease> taken = once(wait, startNanos, take);
            if (taken.isEmpty() || taken.get().isValid()) {
                return taken;
            }
            taken.get().close();
            if (wait.isZero() || left(wait, startNanos).isZero()) {
                return Optional.empty();
            }
        }
    }

    private Optional<MultiLease> once(Duration wait, long startNanos, Take<Lease> take) throws InterruptedException {
        List<Lease> taken = new ArrayList<>(locks.size());
        boolean complete = false;
        try {
            for (DistributedLock lock : locks) {
                Lease lease = take.from(lock, left(wait, startNanos));
                if (lease == null) {
                    return Optional.empty();
                }
                taken.add(lease);
            }
            complete = true;
            return Optional.of(new EngineMultiLease(taken));
        } finally {
            if (!complete) {
                giveBack(taken);
            }
        }
    }

    private static void giveBack(List<Lease> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            taken.get(i).close();
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
        DistributedLock lock = locks.get(taken.size());
        CompletableFuture<Optional<Lease>> one;
        try {
            one = lock.tryAcquireAsync(left(wait, startNanos));
        } catch (IllegalStateException closed) {
            giveBack(taken);
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
            giveBack(taken);
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
        boolean interrupted = false;
        try {
            take(FOREVER, (lock, left) -> {
                lock.lock();
                return true;
            });
        } catch (InterruptedException impossible) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        take(FOREVER, (lock, left) -> {
            lock.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        try {
            return take(Duration.ZERO, (lock, left) -> lock.tryLock() ? true : null);
        } catch (InterruptedException impossible) {
            throw new AssertionError("a try was interrupted", impossible);
        }
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        Duration most = wait <= 0 ? Duration.ZERO : Duration.ofNanos(unit.toNanos(wait));
        return take(most, (lock, left) -> lock.tryLock(left.toNanos(), TimeUnit.NANOSECONDS) ? true : null);
    }

    private boolean take(Duration wait, Take<Boolean> take) throws InterruptedException {
        long startNanos = time.nanoTime();
        int taken = 0;
        try {
            for (DistributedLock lock : locks) {
                if (take.from(lock, left(wait, startNanos)) == null) {
                    unlock(taken);
                    return false;
                }
                taken++;
            }
            return true;
        } catch (InterruptedException | RuntimeException | Error first) {
            RuntimeException second = unlock(taken);
            if (second != null) {
                first.addSuppressed(second);
            }
            throw first;
        }
    }

    @Override
    public void unlock() {
        RuntimeException first = unlock(locks.size());
        if (first != null) {
            throw first;
        }
    }

    /** Unlocks the first so many, the last of them first. Returns the first failure when all have been tried. */
    private @Nullable RuntimeException unlock(int count) {
        RuntimeException first = null;
        for (int i = count - 1; i >= 0; i--) {
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
        return first;
    }

    @Override
    public String toString() {
        return "MultiLock" + names();
    }
}
