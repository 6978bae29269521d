package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A started backend without an engine, and what it was told. Closing it is what a crash looks like to others. */
final class RawClient implements AutoCloseable, BackendListener {
    private final LockBackend backend;
    private final Duration patience;
    private final TimeSource clocks;
    private final String id = UUID.randomUUID().toString().replace("-", "");
    private final AtomicLong sequence = new AtomicLong();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();

    /** A grant that the store told by itself. */
    record Grant(ClaimId claim, long token, Duration left, long startNanos, long heardNanos) {}

    RawClient(LockBackend backend, Duration patience, TimeSource clocks) {
        this.backend = backend;
        this.patience = patience;
        this.clocks = clocks;
        backend.start(id, this);
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        grants.add(new Grant(claim, token, left, startNanos, clocks.nanoTime()));
    }

    @Override
    public void changed(Resource resource) {
        changes.add(resource.name());
    }

    @Override
    public void missed() {
        changes.add("");
    }

    /** The grants of a claim that the store told by itself. */
    List<Grant> grantsOf(Claim claim) {
        return grants.stream().filter(grant -> grant.claim().equals(claim.id())).toList();
    }

    /** Whether the store told anything by itself that concerns the claim. */
    boolean wasToldOf(Claim claim) {
        return !grantsOf(claim).isEmpty() || changes.contains(claim.resource().name()) || changes.contains("");
    }

    LockBackend backend() {
        return backend;
    }

    /** A new claim that waits if it has to. */
    Claim claim(Resource resource, int weight, Duration lease) {
        return claim(resource, weight, lease, 1, true);
    }

    /** A new claim. */
    Claim claim(Resource resource, int weight, Duration lease, int tokens, boolean waits) {
        ClaimId claimId = new ClaimId(id, sequence.incrementAndGet());
        return Claim.builder(claimId, resource, lease)
                .weight(weight)
                .tokens(tokens)
                .waits(waits)
                .label("label " + claimId.sequence())
                .build();
    }

    AttemptResult attempt(Claim claim) {
        return backend.attempt(claim, patience);
    }

    /** Asks once, expects a grant and returns its first token. */
    long grant(Claim claim) {
        AttemptResult result = attempt(claim);
        assertThat(result).as("answer to %s", claim).isInstanceOf(AttemptResult.Granted.class);
        return ((AttemptResult.Granted) result).token();
    }

    /** Asks once, expects a place in the line and returns it. */
    AttemptResult.Queued queue(Claim claim) {
        AttemptResult result = attempt(claim);
        assertThat(result).as("answer to %s", claim).isInstanceOf(AttemptResult.Queued.class);
        return (AttemptResult.Queued) result;
    }

    boolean release(Claim claim) {
        return backend.release(claim);
    }

    /** Renews one claim. */
    RenewResult renew(Claim claim, Duration lease) {
        List<RenewResult> results = backend.renew(List.of(new Renewal(claim, lease)));
        assertThat(results).as("results of one renewal").hasSize(1);
        return results.get(0);
    }

    /** What the store knows, or an empty view. */
    ResourceView look(Resource resource) {
        return backend.inspect(resource).orElseGet(() -> new ResourceView(resource, List.of(), List.of()));
    }

    /** Ends somebody else's claims, as an operator would who breaks a lock. */
    void breakAll(Resource resource) {
        List<ResourceView.Holder> holders = look(resource).holders();
        assertThat(holders).as("holders to break").isNotEmpty();
        for (ResourceView.Holder holder : holders) {
            Claim claim = Claim.builder(holder.claim(), resource, Duration.ofSeconds(1))
                    .weight(holder.weight())
                    .label(holder.label())
                    .build();
            assertThat(release(claim)).as("breaking %s", holder).isTrue();
        }
    }

    @Override
    public void close() {
        backend.close();
    }
}
