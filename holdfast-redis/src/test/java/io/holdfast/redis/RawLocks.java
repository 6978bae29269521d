package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A started backend without an engine: nothing is renewed, repeated or given back unless the test says so. */
final class RawLocks implements AutoCloseable, BackendListener {
    private final LockBackend backend;
    private final String id = UUID.randomUUID().toString().replace("-", "");
    private final AtomicLong sequence = new AtomicLong();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final Queue<ClaimId> served = new ConcurrentLinkedQueue<>();
    private final Queue<ClaimId> revoked = new ConcurrentLinkedQueue<>();
    private final AtomicLong missed = new AtomicLong();

    /** A grant by message. */
    record Grant(ClaimId claim, long token, Duration left, long startNanos, long heardNanos) {}

    RawLocks(LockBackend backend) {
        this.backend = backend;
        backend.start(id, this);
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        grants.add(new Grant(claim, token, left, startNanos, System.nanoTime()));
    }

    @Override
    public void served(ClaimId claim) {
        served.add(claim);
    }

    @Override
    public void revoked(ClaimId claim) {
        revoked.add(claim);
    }

    @Override
    public void changed(Resource resource) {}

    @Override
    public void missed() {
        missed.incrementAndGet();
    }

    String id() {
        return id;
    }

    LockBackend backend() {
        return backend;
    }

    /** How often all claims were told to ask again. */
    long missedCount() {
        return missed.get();
    }

    List<Grant> grants() {
        return List.copyOf(grants);
    }

    /** The claims that were told to ask. */
    List<ClaimId> served() {
        return List.copyOf(served);
    }

    /** The claims that were told that they were ended. */
    List<ClaimId> revoked() {
        return List.copyOf(revoked);
    }

    Claim claim(String name, long leaseMillis, boolean waits) {
        return Claim.builder(
                        new ClaimId(id, sequence.incrementAndGet()), Bench.lock(name), Duration.ofMillis(leaseMillis))
                .waits(waits)
                .label("raw")
                .build();
    }

    AttemptResult attempt(Claim claim) {
        return backend.attempt(claim, backend.requestTimeout());
    }

    /** Asks once, expects a grant and returns its token. */
    long grant(Claim claim) {
        AttemptResult result = attempt(claim);
        assertThat(result).isInstanceOf(AttemptResult.Granted.class);
        return ((AttemptResult.Granted) result).token();
    }

    /** Waits in the line: asks until the server says that it will announce the grant. */
    void queue(Claim claim) {
        Bench.soon("an announced place")
                .until(() -> attempt(claim) instanceof AttemptResult.Queued queued && queued.announced());
        // once more, so that the server knows it too
        assertThat(attempt(claim)).isInstanceOf(AttemptResult.Queued.class);
    }

    RenewResult renew(Claim claim, long leaseMillis) {
        return backend.renew(List.of(new Renewal(claim, Duration.ofMillis(leaseMillis))))
                .get(0);
    }

    boolean release(Claim claim) {
        return backend.release(claim);
    }

    @Override
    public void close() {
        backend.close();
    }
}
