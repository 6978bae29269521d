package io.holdfast.redis.backend;

import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.RecordKeys;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Secrets;
import io.holdfast.redis.protocol.ServerInfo;
import io.holdfast.redis.servers.Handshake;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.Proofs;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.TokenFloor;
import io.holdfast.redis.servers.Topologies;
import io.holdfast.redis.servers.Topology;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of Redis. Assembles the parts and delegates each call to the responsible one.
 *
 * <p>New, then started, then closed; no way back. Has one thread for maintenance, and one for each server with waiters.
 * Everything else runs on the caller's thread.
 */
public final class RedisBackend implements PipelinedBackend, Topologies.Listener {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    /** How long closing waits for a server that does not answer. */
    private static final Duration GOODBYE = Duration.ofMillis(500);

    private final Topologies topologies;
    private final RedisSettings settings;
    private final Timing time;
    private volatile @Nullable Started started;
    private volatile boolean closed;

    /** What exists only between start and close. */
    private record Started(
            String clientId,
            BackendListener listener,
            Topology topology,
            NodeCaller caller,
            Claims claims,
            Places places,
            OwnLines lines,
            Releases releases,
            Revocations revocations,
            Renewals renewals,
            Inspector inspector,
            HeldClaims held,
            Messages messages,
            ClientRecord clientRecord,
            ClientIndex index,
            WaitRecords waits,
            Maintenance maintenance) {}

    public RedisBackend(Topologies topologies, RedisSettings settings) {
        this.topologies = topologies;
        this.settings = settings;
        this.time = settings.time();
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        if (closed || started != null) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        TokenFloor floor = new TokenFloor(time);
        Secrets secrets = new Secrets();
        Handshake handshake = new Handshake(settings, clientId, this::tagOf, topologies.mode(), floor);
        Topology topology = topologies.make(handshake, settings, this);
        NodeCaller caller = new NodeCaller(topology, settings);
        HeldClaims held = new HeldClaims(settings);
        Proofs proofs = new Proofs(topology, settings);
        RecordKeys keys = new RecordKeys(settings.prefix());
        Releases releases = new Releases(caller, settings, keys);
        OwnLines lines = new OwnLines();
        ServerTimes serverTimes = new ServerTimes(floor);
        ClientIndex index = new ClientIndex(caller, settings, clientId);
        ClientRecord clientRecord = new ClientRecord(caller, index, settings, clientId, listener::lines);
        started = new Started(
                clientId,
                Objects.requireNonNull(listener),
                topology,
                caller,
                new Claims(caller, settings, held, proofs, floor, secrets, releases, lines, keys, serverTimes),
                new Places(caller, settings, lines, serverTimes, listener),
                lines,
                releases,
                new Revocations(caller, settings),
                new Renewals(caller, topology, settings, held, proofs, keys),
                new Inspector(caller, topology, settings),
                held,
                new Messages(settings, listener, held, lines, floor, secrets),
                clientRecord,
                index,
                new WaitRecords(caller, settings),
                new Maintenance(topology, settings, held, proofs, clientRecord, clientId));
        long untilNanos = time.until(Handshake.longest(settings.requestTimeout()));
        boolean met = isMet(topology, untilNanos);
        handshake.opened();
        try {
            clientRecord.write(untilNanos);
        } catch (RuntimeException later) {
            LOG.log(Level.DEBUG, () -> "the record of " + clientId + " is written later: " + later.getMessage());
        }
        started().maintenance.start(met);
        if (topology.takesManyKeys()) {
            topology.known().forEach(node -> node.subscription().open()); // so that the first waiter listens
        }
    }

    /** False if nobody answers, and need not yet. */
    private boolean isMet(Topology topology, long untilNanos) {
        try {
            FirstMeeting.shakeHands(topology.nodes(untilNanos), untilNanos);
            return true;
        } catch (RuntimeException failure) {
            if (settings.isMember() && ErrorMessages.isPassing(failure)) {
                LOG.log(Level.DEBUG, () -> "a member of a quorum is asked again when needed: " + failure.getMessage());
                return true;
            }
            LockStoreException why = ErrorMessages.connecting(settings, failure);
            Consumer<? super LockStoreException> told = settings.whenDown();
            if (told == null || why instanceof LockStoreUnfitException) {
                throw why;
            }
            told.accept(why);
            return false;
        }
    }

    @Override
    public void doubtTopology(RedisAddress address) {
        Started now = started;
        if (now != null) {
            now.topology.doubt(address);
        }
    }

    /** The topology is created after the handshake that uses it. */
    private String tagOf(RedisAddress server, String before, int skip) {
        return topology().tagOf(server, before, skip);
    }

    private Topology topology() {
        return started().topology;
    }

    private Started started() {
        Started now = started;
        if (now == null) {
            throw new IllegalStateException(this + " is used before start()");
        }
        return now;
    }

    private Started usable() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return started();
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        Started now = usable();
        AttemptResult known = now.places.known(claim, patience);
        return known != null ? known : now.claims.attempt(claim, patience);
    }

    @Override
    public boolean release(Claim claim) {
        Started now = usable();
        now.held.released(claim.id());
        now.lines.forget(claim.id());
        return now.releases.release(claim);
    }

    @Override
    public Supplier<AttemptResult> beginAttempt(Claim claim, Duration patience) {
        return usable().claims.beginAttempt(claim, patience);
    }

    @Override
    public Supplier<Boolean> beginRelease(Claim claim, Duration patience) {
        Started now = usable();
        now.held.released(claim.id());
        now.lines.forget(claim.id());
        return now.releases.beginRelease(claim, patience);
    }

    /** The process, if there is only one: the same server under another name has the same id. */
    @Override
    public Optional<String> storeId() {
        return onlySession().map(session -> ServerInfo.process(session.incarnation()));
    }

    @Override
    public String part(Resource resource) {
        Started now = started;
        return now == null ? "" : now.topology.partOf(Keys.key(settings.prefix(), resource));
    }

    @Override
    public OptionalLong tokenNow() {
        Optional<Session> session = onlySession();
        return session.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(session.get().clock().atMostMicros(time.nanos()));
    }

    /** The session of the only server, if there is only one. */
    private Optional<Session> onlySession() {
        Collection<Node> nodes = usable().topology.known();
        return nodes.size() == 1 ? Optional.ofNullable(nodes.iterator().next().current()) : Optional.empty();
    }

    @Override
    public boolean revoke(Claim claim) {
        Started now = usable();
        now.revocations.remember(claim);
        boolean known = now.releases.release(claim);
        if (known) {
            now.revocations.tell(claim);
        }
        return known;
    }

    @Override
    public boolean wasRevoked(Resource resource, ClaimId claim) {
        try {
            return usable().revocations.isRemembered(resource, claim);
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(resource, settings, failure);
        }
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        try {
            return usable().inspector.client(clientId);
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(clientId, settings, failure);
        }
    }

    @Override
    public void publishWaits(WaitRecord record) {
        usable().waits.publish(record);
    }

    @Override
    public Optional<String> waitsOf(String clientId) {
        return usable().waits.of(clientId);
    }

    @Override
    public List<String> clients() {
        return usable().index.read();
    }

    @Override
    public List<RenewResult> renew(List<Renewal> renewals) {
        return usable().renewals.renew(renewals);
    }

    @Override
    public Optional<ResourceView> inspect(Resource resource) {
        try {
            return usable().inspector.inspect(resource);
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(resource, settings, failure);
        }
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        try {
            return usable().inspector.list(namePrefix);
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(namePrefix, settings, failure);
        }
    }

    @Override
    public Optional<Duration> longestLease() {
        return settings.leaseLimit();
    }

    @Override
    public Duration requestTimeout() {
        return settings.requestTimeout();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Started now = started;
        if (now != null) {
            now.maintenance.close();
            try {
                now.clientRecord.remove(time.until(GOODBYE));
            } catch (RuntimeException itEnds) {
                LOG.log(Level.DEBUG, () -> "the record of " + now.clientId + " ends by itself: " + itEnds.getMessage());
            }
            now.topology.known().forEach(Node::close);
        }
        topologies.close();
    }

    // ---- messages

    @Override
    public void heard(Node node, byte[] message, long receivedNanos) {
        Started now = started;
        if (now != null) {
            now.messages.heard(node, Replies.string(message), receivedNanos);
        }
    }

    @Override
    public void missed() {
        Started now = started;
        if (now != null && !closed) {
            now.lines.forgetAll();
            now.listener.missed();
        }
    }

    @Override
    public boolean isUsed(Node node) {
        return !closed && topology().isCurrent(node);
    }

    @Override
    public String toString() {
        Started now = started;
        return "Redis backend of " + (now == null ? "no client yet" : "client " + now.clientId);
    }
}
