package io.holdfast.engine;

import io.holdfast.DistributedLatch;
import io.holdfast.Lease;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.UnfitClaimException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A latch as a resource that fills up. An arrival is a claim that is never given back. A waiter is a claim of weight
 * zero, which is granted when the resource is full.
 */
final class EngineLatch implements DistributedLatch {
    private static final int TRIES = 3;

    private final Acquisitions services;
    private final Claims claims;
    private final Resource resource;
    private final LeaseAcquirer open;

    EngineLatch(Acquisitions services, Claims claims, String name, int count, Duration outages) {
        this.services = services;
        this.claims = claims;
        this.resource = new Resource(LockKind.LATCH, name, EngineSemaphore.checked("count", count));
        this.open =
                new LeaseAcquirer(services, resource, 0, LockOptions.defaults().waitThroughOutages(outages), null);
    }

    @Override
    public String name() {
        return resource.name();
    }

    @Override
    public void countDown() {
        services.life().ensureOpen();
        LockOptions options = LockOptions.defaults().fixedLease(LockOptions.LONGEST_LEASE);
        Request once = new Request(
                options,
                1,
                Ownership.nameOf(Thread.currentThread()),
                null,
                services.time().nanoTime(),
                0);
        Claim arrival = claims.next(resource, 1, once);
        AttemptResult result;
        services.life().begin();
        try {
            result = arrive(arrival);
        } finally {
            services.life().done();
        }
        if (result instanceof AttemptResult.Refused refused) {
            throw new LockRefusedException(
                    resource.kind(),
                    name(),
                    "the arrival at latch '" + name() + "' was not counted: " + refused.why(),
                    refused.retryAfter());
        }
        if (result instanceof AttemptResult.Mismatched mismatched) {
            throw new IllegalArgumentException("latch '" + name() + "' opens after " + mismatched.capacity()
                    + " arrivals, not " + resource.capacity() + "; open it with the same count everywhere");
        }
    }

    private AttemptResult arrive(Claim arrival) {
        RuntimeException first = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return services.store().attempt(arrival, services.store().requestTimeout());
            } catch (UnfitClaimException neverSent) {
                throw neverSent;
            } catch (RuntimeException trouble) {
                if (first == null) {
                    first = trouble;
                } else {
                    first.addSuppressed(trouble);
                }
                if (StoreCalls.isLasting(trouble)) {
                    break;
                }
            }
        }
        throw StoreCalls.troubleLike(
                first,
                resource.kind(),
                name(),
                "nobody knows whether the arrival at latch '" + name() + "' was counted"
                        + (first == null ? "" : ": " + first.getMessage()) + "; check the store");
    }

    @Override
    public int count() {
        services.life().ensureOpen();
        int arrived = 0;
        for (ResourceView view : services.store().inspect(resource).stream().toList()) {
            for (ResourceView.Holder holder : view.holders()) {
                arrived += holder.weight();
            }
        }
        return Math.max(0, resource.capacity() - arrived);
    }

    @Override
    public void await() throws InterruptedException {
        open.acquireInterruptibly().close();
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        var opened = open.tryAcquire(wait);
        opened.ifPresent(Lease::close);
        return opened.isPresent();
    }

    @Override
    public CompletableFuture<Void> awaitAsync() {
        CompletableFuture<Lease> opened = open.acquireAsync();
        opened.thenAccept(Lease::close);
        return Deliveries.of(opened, lease -> null, Lease::close);
    }
}
