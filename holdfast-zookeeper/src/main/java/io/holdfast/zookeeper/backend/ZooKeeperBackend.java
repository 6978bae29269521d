package io.holdfast.zookeeper.backend;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Locks on ZooKeeper. */
public final class ZooKeeperBackend implements LockBackend {
    private final ZooKeeperSettings settings;

    public ZooKeeperBackend(ZooKeeperSettings settings) {
        this.settings = settings;
    }

    @Override
    public void start(String clientId, BackendListener listener) {}

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean release(Claim claim) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean raisesTokens() {
        return false;
    }

    @Override
    public Optional<Duration> longestLease() {
        return Optional.of(Carried.by(settings.session()));
    }

    @Override
    public Duration requestTimeout() {
        return settings.requestTimeout();
    }

    @Override
    public void close() {}
}
