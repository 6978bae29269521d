package io.holdfast.engine;

import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.LostReason;
import io.holdfast.MultiLease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Several leases as one. */
final class EngineMultiLease implements MultiLease {
    private final List<Lease> leases;

    EngineMultiLease(List<Lease> leases) {
        this.leases = List.copyOf(leases);
    }

    @Override
    public List<Lease> leases() {
        return leases;
    }

    @Override
    public long token(String name) {
        for (Lease lease : leases) {
            if (lease.name().equals(name)) {
                return lease.token();
            }
        }
        throw new IllegalArgumentException("'" + name + "' is not one of "
                + leases.stream().map(Lease::name).toList());
    }

    @Override
    public Duration remaining() {
        Duration least = leases.get(0).remaining();
        for (Lease lease : leases) {
            Duration left = lease.remaining();
            least = left.compareTo(least) < 0 ? left : least;
        }
        return least;
    }

    @Override
    public boolean isValid() {
        return leases.stream().allMatch(Lease::isValid);
    }

    @Override
    public void ensureValid() {
        leases.forEach(Lease::ensureValid);
    }

    @Override
    public void onLost(Consumer<LostReason> action) {
        AtomicBoolean told = new AtomicBoolean();
        for (Lease lease : leases) {
            lease.onLost(reason -> {
                if (told.compareAndSet(false, true)) {
                    action.accept(reason);
                }
            });
        }
    }

    @Override
    public void extend(Duration lease) {
        ensureValid();
        leases.forEach(each -> each.extend(lease));
    }

    @Override
    public void onAtRisk(Runnable action) {
        leases.forEach(each -> each.onAtRisk(action));
    }

    @Override
    public CompletionStage<LostReason> lost() {
        CompletableFuture<LostReason> first = new CompletableFuture<>();
        leases.forEach(each -> each.lost().thenAccept(first::complete));
        return first.minimalCompletionStage();
    }

    /** Closing a lease does not throw, so each of them is closed. */
    @Override
    public void close() {
        for (int i = leases.size() - 1; i >= 0; i--) {
            leases.get(i).close();
        }
    }

    /** What is refused is refused for the first of them, before anything has changed. */
    @Override
    public void closeAfter(Duration time) {
        ensureValid();
        RuntimeException first = null;
        for (int i = leases.size() - 1; i >= 0; i--) {
            try {
                leases.get(i).closeAfter(time);
            } catch (LockException | IllegalStateException trouble) {
                if (first == null) {
                    first = trouble;
                } else {
                    first.addSuppressed(trouble);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return CompletableFuture.allOf(leases.stream().map(Lease::closeAsync).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public String toString() {
        return "MultiLease" + leases;
    }
}
