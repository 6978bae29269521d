package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Every way to take a lock. */
@SuppressWarnings("LockNotBeforeTry") // A style only takes; the caller gives back in a finally.
enum Style {
    TRY_ONCE {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            return held(lock.tryAcquire());
        }
    },
    WAIT_AT_MOST {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException {
            return held(lock.tryAcquire(wait));
        }
    },
    WAIT {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            return held(Optional.of(lock.acquire()));
        }
    },
    WAIT_INTERRUPTIBLY {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException {
            return held(Optional.of(lock.acquireInterruptibly()));
        }
    },
    ASYNC {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            return held(Optional.of(lock.acquireAsync().join()));
        }
    },
    ASYNC_AT_MOST {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            return held(lock.tryAcquireAsync(wait).join());
        }
    },
    LOCK {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            lock.lock();
            return locked(lock, true);
        }
    },
    TRY_LOCK {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) {
            return locked(lock, lock.tryLock());
        }
    },
    TRY_LOCK_AT_MOST {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException {
            return locked(lock, lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS));
        }
    },
    TRY_LOCK_WITH_LEASE {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException {
            return locked(lock, lock.tryLock(wait, FIXED_LEASE));
        }
    },
    LOCK_INTERRUPTIBLY {
        @Override
        Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException {
            lock.lockInterruptibly();
            return locked(lock, true);
        }
    };

    /** Longer than any test. */
    private static final Duration FIXED_LEASE = Duration.ofMinutes(2);

    /** A lock that was taken. */
    record Held(long token, Runnable giveBack) {}

    /**
     * Takes the lock, on the calling thread.
     *
     * @param lock what to take
     * @param wait for the styles that wait for a bounded time
     * @return empty when somebody else has it
     */
    abstract Optional<Held> take(DistributedLock lock, Duration wait) throws InterruptedException;

    /** Whether it tries once, whatever wait it is given. */
    boolean once() {
        return this == TRY_ONCE || this == TRY_LOCK;
    }

    /** Whether it takes a time to wait. */
    boolean bounded() {
        return switch (this) {
            case WAIT_AT_MOST, ASYNC_AT_MOST, TRY_LOCK_AT_MOST, TRY_LOCK_WITH_LEASE -> true;
            default -> false;
        };
    }

    private static Optional<Held> held(Optional<Lease> lease) {
        return lease.map(taken -> new Held(taken.token(), taken::close));
    }

    private static Optional<Held> locked(DistributedLock lock, boolean taken) {
        return taken ? Optional.of(new Held(lock.lease().token(), lock::unlock)) : Optional.empty();
    }
}
