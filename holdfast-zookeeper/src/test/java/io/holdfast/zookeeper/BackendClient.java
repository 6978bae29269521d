package io.holdfast.zookeeper;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A started backend without an engine, and what it was told. */
final class BackendClient implements AutoCloseable, BackendListener {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LockBackend backend;
    private final String id = UUID.randomUUID().toString();
    private final AtomicLong sequence = new AtomicLong();
    private final Queue<ClaimId> granted = new ConcurrentLinkedQueue<>();
    private final Queue<ClaimId> revoked = new ConcurrentLinkedQueue<>();

    BackendClient(ZooKeeperServer server) {
        this(patient(server.address()));
    }

    /** For servers that answer, though the machine may have others to run first. */
    static ZooKeeperLocksBuilder patient(String address) {
        return ZooKeeperLocks.builder(address).requestTimeout(Duration.ofSeconds(8));
    }

    BackendClient(ZooKeeperLocksBuilder builder) {
        this(builder, TimeSource.system());
    }

    BackendClient(ZooKeeperLocksBuilder builder, TimeSource time) {
        backend = builder.newBackend(time);
        backend.start(id, this);
    }

    LockBackend backend() {
        return backend;
    }

    Queue<ClaimId> granted() {
        return granted;
    }

    Queue<ClaimId> revoked() {
        return revoked;
    }

    Claim claim(Resource resource, int weight, boolean waits, Duration lease) {
        return Claim.builder(new ClaimId(id, sequence.incrementAndGet()), resource, lease)
                .weight(weight)
                .waits(waits)
                .build();
    }

    AttemptResult ask(Claim claim) {
        return backend.attempt(claim, PATIENCE);
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        granted.add(claim);
    }

    @Override
    public void revoked(ClaimId claim) {
        revoked.add(claim);
    }

    @Override
    public void changed(Resource resource) {}

    @Override
    public void missed() {}

    @Override
    public void close() {
        backend.close();
    }
}
