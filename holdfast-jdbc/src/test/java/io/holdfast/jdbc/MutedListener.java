package io.holdfast.jdbc;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Does nothing about what a backend tells, and counts how often something may have been missed. */
final class MutedListener implements BackendListener {
    private final AtomicInteger missed = new AtomicInteger();

    int timesMissed() {
        return missed.get();
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

    @Override
    public void changed(Resource resource) {}

    @Override
    public void missed() {
        missed.incrementAndGet();
    }
}
