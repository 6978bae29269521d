package io.holdfast.testing;

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
import java.util.stream.Stream;

/** Says yes to everything and writes down what it was asked. */
final class StubBackend implements LockBackend {
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    static final Duration LONGEST_LEASE = Duration.ofMinutes(2);

    final List<String> executed = new ArrayList<>();
    private final boolean raisesTokens;
    BackendListener listener;

    StubBackend() {
        this(true);
    }

    StubBackend(boolean raisesTokens) {
        this.raisesTokens = raisesTokens;
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        this.listener = listener;
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        executed.add("attempt");
        return new AttemptResult.Granted(7, claim.lease());
    }

    @Override
    public boolean release(Claim claim) {
        executed.add("release");
        return true;
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        executed.add("renew");
        return renewals.stream()
                .<RenewResult>map(renewal -> new RenewResult.Renewed(renewal.lease()))
                .toList();
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        executed.add("inspect");
        return Optional.empty();
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        executed.add("list");
        return Stream.empty();
    }

    @Override
    public boolean raisesTokens() {
        return raisesTokens;
    }

    @Override
    public Optional<Duration> longestLease() {
        return Optional.of(LONGEST_LEASE);
    }

    @Override
    public Duration requestTimeout() {
        return REQUEST_TIMEOUT;
    }

    @Override
    public void close() {
        executed.add("close");
    }
}
