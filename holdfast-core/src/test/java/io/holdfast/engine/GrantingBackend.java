package io.holdfast.engine;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Grants everything at once and counts, so that only the client's own gate keeps its threads apart. */
final class GrantingBackend implements LockBackend {
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicInteger granted = new AtomicInteger();
    private volatile boolean grantedTwice;

    /** How many claims are granted now. */
    int granted() {
        return granted.get();
    }

    /**
     * Whether two claims were ever granted at once. Without cancelling that never happens; a cancelled claim's release
     * may be on its way when the next claim asks, and a store that keeps apart would let that one wait.
     */
    boolean grantedTwice() {
        return grantedTwice;
    }

    @Override
    public void start(String clientId, BackendListener listener) {}

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        if (granted.incrementAndGet() > 1) {
            grantedTwice = true;
        }
        return new AttemptResult.Granted(tokens.getAndAdd(claim.tokens()) + 1, claim.lease());
    }

    @Override
    public boolean release(Claim claim) {
        granted.decrementAndGet();
        return true;
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        List<RenewResult> results = new ArrayList<>();
        for (Renewal renewal : renewals) {
            results.add(new RenewResult.Renewed(renewal.lease()));
        }
        return results;
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return Optional.empty();
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return Stream.empty();
    }

    @Override
    public Duration requestTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {}
}
