package io.holdfast.quorum;

import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of the quorum as this client sees it: whether it answers, and which releases it has missed.
 *
 * <p>A member that failed to answer is down until it answers a probe. Until then nobody waits for it, unless too few
 * others are up.
 */
final class Member {
    /** The most debts to remember: leases also end by themselves. */
    private static final int MOST_DEBTS = 10_000;

    private static final Resource PROBE = new Resource(LockKind.LOCK, "holdfast-probe", 1);

    /**
     * A claim that the member may still know and should forget.
     *
     * @param dueNanos the earliest time of the release: until then a request may still take effect
     * @param endNanos when its lease is over in any case
     */
    private record Debt(Claim name, long dueNanos, long endNanos) {}

    private final int index;
    private final String label;
    private final LockBackend backend;
    private final Executor executor;
    private final TimeSource time;
    private final Duration usualPatience;
    private final ConcurrentMap<ClaimId, Debt> debts = new ConcurrentHashMap<>();
    private final AtomicBoolean probing = new AtomicBoolean();
    private final AtomicBoolean paying = new AtomicBoolean();

    /** Why the member may never vote, or null. */
    private volatile @Nullable RuntimeException bar;

    private volatile @Nullable RuntimeException trouble;
    private volatile long shutUntilNanos;
    private volatile boolean shut;

    Member(int index, String label, LockBackend backend, Duration usualPatience, Executor executor, TimeSource time) {
        this.index = index;
        this.usualPatience = usualPatience;
        this.label = label;
        this.backend = backend;
        this.executor = executor;
        this.time = time;
    }

    int index() {
        return index;
    }

    LockBackend backend() {
        return backend;
    }

    /** Why no answer is expected from the member, or null if it answers. */
    @Nullable
    RuntimeException trouble() {
        RuntimeException barred = bar;
        return barred != null ? barred : trouble;
    }

    boolean isUp() {
        return trouble() == null;
    }

    /** Takes away the member's vote, whether or not it answers. */
    void bar(RuntimeException why) {
        bar = why;
    }

    boolean isBarred() {
        return bar != null;
    }

    /** Whether the member can keep a line: it answers and grants. */
    boolean isFit(long nowNanos) {
        return isUp() && !(shut && shutUntilNanos - nowNanos > 0);
    }

    void failed(RuntimeException why) {
        trouble = why;
    }

    /** How long after sending a request can still take effect. */
    long requestNanos() {
        return backend.requestTimeout().toNanos();
    }

    OptionalLong tokenNow() {
        return isUp() ? backend.tokenNow() : OptionalLong.empty();
    }

    Supplier<AttemptResult> beginAttempt(Claim name, Duration patience) {
        Supplier<AttemptResult> answer = backend instanceof PipelinedBackend pipelined
                ? begun(() -> pipelined.beginAttempt(name, patience))
                : inBackground(() -> backend.attempt(name, patience), patience);
        return () -> {
            AttemptResult result = heard(answer, patience);
            if (result instanceof AttemptResult.Refused refused) {
                shutUntilNanos = time.nanoTime() + refused.retryAfter().toNanos();
                shut = true;
            } else {
                shut = false;
            }
            return result;
        };
    }

    Supplier<Boolean> beginRelease(Claim name, Duration patience) {
        Supplier<Boolean> answer = backend instanceof PipelinedBackend pipelined
                ? begun(() -> pipelined.beginRelease(name, patience))
                : inBackground(() -> backend.release(name), patience);
        return () -> heard(answer, patience);
    }

    private static <T> Supplier<T> begun(Supplier<Supplier<T>> beginning) {
        try {
            return beginning.get();
        } catch (RuntimeException failure) {
            return () -> {
                throw failure;
            };
        }
    }

    private <T> Supplier<T> inBackground(Supplier<T> call, Duration patience) {
        long untilNanos = time.nanoTime() + patience.toNanos();
        CompletableFuture<T> future = CompletableFuture.supplyAsync(call, executor);
        return () -> await(future, untilNanos);
    }

    private <T> T await(CompletableFuture<T> future, long untilNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, untilNanos - time.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException flag) {
                    interrupted = true; // wait for the answer: otherwise the outcome would be unknown
                } catch (TimeoutException silent) {
                    throw new LockStoreException(this + " did not answer in time", silent);
                } catch (ExecutionException failed) {
                    throw failed.getCause() instanceof RuntimeException known
                            ? known
                            : new IllegalStateException(this + " failed", failed.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Returns the answer; a missing answer marks the member as down. A bad request says nothing about the member, and
     * neither does silence within less than the usual time.
     */
    private <T> T heard(Supplier<T> answer, Duration patience) {
        try {
            return answer.get();
        } catch (IllegalArgumentException misuse) {
            throw misuse;
        } catch (RuntimeException failure) {
            if (patience.compareTo(usualPatience) >= 0) {
                trouble = failure;
            }
            throw failure;
        }
    }

    /** Checks whether the member answers. Returns true if it was down and is up now. */
    boolean probe() {
        if (!probing.compareAndSet(false, true)) {
            return false;
        }
        try {
            boolean wasDown = !isUp();
            backend.inspect(PROBE);
            trouble = null;
            return wasDown;
        } catch (RuntimeException still) {
            trouble = still;
            return false;
        } finally {
            probing.set(false);
        }
    }

    Optional<String> storeId() {
        return backend.storeId();
    }

    // ---- debts

    /** Has the member forget a claim as soon as it can be asked. */
    void owe(Claim name, long dueNanos, long endNanos) {
        if (debts.size() < MOST_DEBTS) {
            debts.put(name.id(), new Debt(name, dueNanos, endNanos));
        }
    }

    int debts() {
        return debts.size();
    }

    /** Releases what is due. Stops at the first failure. */
    void pay(long nowNanos) {
        if (!paying.compareAndSet(false, true)) {
            return;
        }
        try {
            payAll(nowNanos);
        } finally {
            paying.set(false);
        }
    }

    private void payAll(long nowNanos) {
        debts.values().removeIf(debt -> nowNanos - debt.endNanos > 0);
        for (Debt debt : debts.values()) {
            if (!isUp()) {
                return;
            }
            if (nowNanos - debt.dueNanos >= 0) {
                try {
                    backend.release(debt.name);
                    debts.remove(debt.name.id(), debt);
                } catch (RuntimeException failure) {
                    trouble = failure;
                }
            }
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
