package io.holdfast.memory;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client without an engine: sends single requests and writes down what it hears. */
final class TestClient implements BackendListener {
    static final Duration LEASE = Duration.ofSeconds(30);

    final LockBackend backend;
    final List<Heard> heard = new ArrayList<>();
    int missed;
    Consumer<Heard> onGranted = heard::add;

    private final String id;
    private long sequence;

    /** A grant as the listener was told of it. */
    record Heard(ClaimId claim, long token, Duration left, long startNanos) {}

    /** Clocks for a test. The monotonic one begins two seconds before it overflows, because a real one may. */
    static ManualTime time() {
        return new ManualTime(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos(), 1_700_000_000_000L);
    }

    TestClient(MemoryStore store, String id, TimeSource time) {
        this.id = id;
        this.backend = store.connect(time);
        backend.start(id, this);
    }

    Claim claim(Resource resource) {
        return claim(resource, 1);
    }

    Claim claim(Resource resource, int weight) {
        return claim(resource, weight, LEASE, true);
    }

    Claim claim(Resource resource, int weight, Duration lease, boolean waits) {
        return Claim.builder(new ClaimId(id, ++sequence), resource, lease)
                .weight(weight)
                .waits(waits)
                .label("label of " + id)
                .build();
    }

    AttemptResult attempt(Claim claim) {
        return backend.attempt(claim, LEASE);
    }

    /** The first token of a claim that must be granted. */
    long granted(Claim claim) {
        return attempt(claim) instanceof AttemptResult.Granted granted ? granted.token() : failed(claim, "granted");
    }

    /** The place of a claim that must wait. */
    int queued(Claim claim) {
        return attempt(claim) instanceof AttemptResult.Queued queued ? queued.place() : (int) failed(claim, "queued");
    }

    boolean release(Claim claim) {
        return backend.release(claim);
    }

    RenewResult renew(Claim claim, Duration lease) {
        return backend.renew(List.of(new Renewal(claim, lease))).get(0);
    }

    List<ClaimId> heardClaims() {
        return heard.stream().map(Heard::claim).toList();
    }

    List<ClaimId> holders(Resource resource) {
        return backend.inspect(resource).stream()
                .flatMap(view -> view.holders().stream())
                .map(holder -> holder.claim())
                .toList();
    }

    List<ClaimId> waiting(Resource resource) {
        return backend.inspect(resource).stream()
                .flatMap(view -> view.waiting().stream())
                .map(waiting -> waiting.claim())
                .toList();
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        onGranted.accept(new Heard(claim, token, left, startNanos));
    }

    @Override
    public void changed(Resource resource) {
        throw new AssertionError("the memory store names every grant: " + resource);
    }

    @Override
    public void missed() {
        missed++;
    }

    private static long failed(Claim claim, String expected) {
        throw new AssertionError(claim.id() + " was not " + expected);
    }
}
