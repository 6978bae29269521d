package io.holdfast.memory;

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
import io.holdfast.spi.TimeSource;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to a {@link MemoryStore}.
 *
 * <p>New, then started, then closed, and never back. Closing races with calls under way and with hand-overs of other
 * clients: such a call still does its work, and such a hand-over is not told and ends with its short lease.
 */
final class MemoryBackend implements LockBackend, StoreClient {
    /**
     * A call that returned has taken effect and one that threw has not, so nobody ever needs to wait for a late one.
     */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

    private final Contents store;
    private final TimeSource clientTime;
    private final AtomicReference<@Nullable Session> session = new AtomicReference<>();
    private volatile boolean closed;

    private record Session(String clientId, BackendListener listener) {}

    MemoryBackend(Contents store, TimeSource clientTime) {
        this.store = store;
        this.clientTime = clientTime;
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        Session started = new Session(Objects.requireNonNull(clientId), Objects.requireNonNull(listener));
        if (closed || !session.compareAndSet(null, started)) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        store.add(this);
        if (closed) {
            store.remove(this); // close() came in between and may have looked too early
        }
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        checkUsable();
        claim.check();
        return store.attempt(claim, this);
    }

    @Override
    public boolean release(Claim claim) {
        checkUsable();
        return store.release(claim);
    }

    @Override
    public boolean revoke(Claim claim) {
        checkUsable();
        return store.revoke(claim);
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        checkUsable();
        return store.renew(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        checkUsable();
        return store.inspect(resource);
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        checkUsable();
        return store.list(namePrefix);
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        checkUsable();
        return store.client(clientId);
    }

    @Override
    public void publishWaits(WaitRecord record) {
        checkUsable();
        store.waits().publish(record);
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        checkUsable();
        return store.waits().of(clientId);
    }

    @Override
    public List<String> clients() {
        checkUsable();
        return store.clients();
    }

    @Override
    public Optional<String> id() {
        return Optional.ofNullable(session.get()).map(Session::clientId);
    }

    @Override
    public Optional<ClientView> card(String clientId) {
        Session current = session.get();
        return current == null || !current.clientId.equals(clientId)
                ? Optional.empty()
                : Optional.of(new ClientView("", 0, "", current.listener.lines()));
    }

    @Override
    public OptionalLong tokenNow() {
        return OptionalLong.of(store.tokenNow());
    }

    @Override
    public Duration requestTimeout() {
        return REQUEST_TIMEOUT;
    }

    @Override
    public void close() {
        closed = true;
        store.remove(this);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public long clientNanos() {
        return clientTime.nanoTime();
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        Session current = session.get();
        if (current != null && !closed) {
            current.listener.granted(claim, token, left, startNanos);
        }
    }

    @Override
    public void revoked(ClaimId claim) {
        Session current = session.get();
        if (current != null && !closed && current.clientId.equals(claim.client())) {
            current.listener.revoked(claim);
        }
    }

    @Override
    public void missed() {
        Session current = session.get();
        if (current != null && !closed) {
            current.listener.missed();
        }
    }

    @Override
    public String toString() {
        Session current = session.get();
        return "memory backend of " + (current == null ? "no client yet" : "client " + current.clientId);
    }

    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (session.get() == null) {
            throw new IllegalStateException(this + " is used before start()");
        }
    }
}
