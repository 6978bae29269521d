package io.holdfast.engine;

import io.holdfast.Acquirable;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every way of acquiring, for one weight of one resource: turns what the user said into a request at a gate. */
class LeaseAcquirer implements Acquirable<Lease> {
    final Acquisitions services;
    final Resource resource;
    final LockOptions options;
    private final int weight;
    private final @Nullable LocalLock local;

    /** @param local what the client's other locks of this name share with it, or null if they share nothing */
    LeaseAcquirer(
            Acquisitions services, Resource resource, int weight, LockOptions options, @Nullable LocalLock local) {
        this.services = services;
        this.resource = resource;
        this.weight = weight;
        this.options = services.store().limit().fitted(resource, options);
        this.local = local;
    }

    public final String name() {
        return resource.name();
    }

    @Override
    public final Optional<Lease> tryAcquire() {
        return Optional.ofNullable(acquireUninterruptibly(0, false, null));
    }

    @Override
    public final Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return Optional.ofNullable(acquireInterruptibly(Durations.waitNanos(wait), options, false, null));
    }

    @Override
    public final Lease acquire() {
        return present(acquireUninterruptibly(Request.FOREVER, false, null));
    }

    @Override
    public final Lease acquireInterruptibly() throws InterruptedException {
        return present(acquireInterruptibly(Request.FOREVER, options, false, null));
    }

    @Override
    public final CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(Request.FOREVER, null, LeaseAcquirer::present);
    }

    @Override
    public final CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(wait, null);
    }

    /** The same for a caller that takes several locks together. */
    final CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, Request.@Nullable Taking taking) {
        return acquireAsync(Durations.waitNanos(wait), taking, Optional::ofNullable);
    }

    /**
     * Waits, whatever interrupts come; null when the time is up.
     *
     * @param owned whether the lease is to be the thread's own
     * @param taking what the caller has of several locks, or null
     */
    final @Nullable EngineLease acquireUninterruptibly(long waitNanos, boolean owned, Request.@Nullable Taking taking) {
        try {
            return begin(waitNanos, options, owned, taking).await(false);
        } catch (InterruptedException impossible) {
            throw new AssertionError("an uninterruptible wait was interrupted", impossible);
        }
    }

    /** Waits until the time is up, which gives null. */
    final @Nullable EngineLease acquireInterruptibly(
            long waitNanos, LockOptions held, boolean owned, Request.@Nullable Taking taking)
            throws InterruptedException {
        return begin(waitNanos, held, owned, taking).await(true);
    }

    private ThreadWaiter begin(long waitNanos, LockOptions held, boolean owned, Request.@Nullable Taking taking) {
        return new ThreadWaiter(services, gate(), request(waitNanos, held, Thread.currentThread(), owned, taking));
    }

    private <T> CompletableFuture<T> acquireAsync(
            long waitNanos, Request.@Nullable Taking taking, Function<@Nullable EngineLease, T> result) {
        services.life().ensureOpen();
        Request request = request(waitNanos, options, null, false, taking);
        return Deliveries.of(FutureWaiter.start(services, gate(), request), result, lease -> {
            if (lease != null) {
                lease.giveBack();
            }
        });
    }

    private Gate gate() {
        return local != null && options.fairness() == Fairness.THROUGHPUT
                ? local.gate(weight)
                : new SoloGate(services.gates(), resource, local);
    }

    private Request request(
            long waitNanos, LockOptions held, @Nullable Thread thread, boolean owned, Request.@Nullable Taking taking) {
        String label = held.label().orElseGet(() -> Ownership.nameOf(Thread.currentThread()));
        return new Request(
                held, weight, label, thread, owned, taking, services.time().nanoTime(), waitNanos);
    }

    static EngineLease present(@Nullable EngineLease lease) {
        if (lease == null) {
            throw new AssertionError("a wait without end ended without a lease");
        }
        return lease;
    }

    @Override
    public String toString() {
        return resource.kind() + " '" + resource.name() + "' (" + options + ")";
    }
}
