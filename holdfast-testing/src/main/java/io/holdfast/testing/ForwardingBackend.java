package io.holdfast.testing;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Passes every call on to another backend. To be extended by one that differs from another in a few calls: a store with
 * less abilities, or one that is wrong on purpose.
 *
 * @since 0.1
 */
public abstract class ForwardingBackend implements LockBackend {
    private final LockBackend target;

    /**
     * Wraps a backend.
     *
     * @param target where calls go
     */
    protected ForwardingBackend(LockBackend target) {
        this.target = target;
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        target.start(clientId, listener);
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        return target.attempt(claim, patience);
    }

    @Override
    public boolean release(Claim claim) {
        return target.release(claim);
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return target.renew(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        return target.inspect(resource);
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        return target.list(namePrefix);
    }

    @Override
    public boolean revoke(Claim claim) {
        return target.revoke(claim);
    }

    @Override
    public boolean wasRevoked(Resource resource, ClaimId claim) {
        return target.wasRevoked(resource, claim);
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        return target.client(clientId);
    }

    @Override
    public void publishWaits(WaitRecord record) {
        target.publishWaits(record);
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        return target.waitsOf(clientId);
    }

    @Override
    public List<String> clients() {
        return target.clients();
    }

    @Override
    public Optional<String> storeId() {
        return target.storeId();
    }

    @Override
    public String part(Resource resource) {
        return target.part(resource);
    }

    @Override
    public OptionalLong tokenNow() {
        return target.tokenNow();
    }

    @Override
    public boolean raisesTokens() {
        return target.raisesTokens();
    }

    @Override
    public Optional<Duration> longestLease() {
        return target.longestLease();
    }

    @Override
    public boolean outlivesClient() {
        return target.outlivesClient();
    }

    @Override
    public Duration requestTimeout() {
        return target.requestTimeout();
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " over " + target;
    }
}
