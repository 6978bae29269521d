package io.holdfast.redis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of Redis. Puts the parts together and hands each call to the one that knows.
 *
 * <p>New, then started, then closed, and never back. Has a thread that looks after the servers, and one for each server on which
 * somebody waits. Everything else happens on the caller's thread.
 */
final class RedisBackend implements PipelinedBackend, Ear.Hearer {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    /** How long closing waits for a server that does not answer. */
    private static final Duration GOODBYE = Duration.ofMillis(500);

    /** Makes the map of the servers, once it is known who asks. */
    interface TopologyMaker extends BiFunction<RedisBackend, Handshake, Topology> {}

    private final RedisDriver driver;
    private final RedisSettings settings;
    private final boolean isCluster;
    private final TopologyMaker maker;
    private final Runnable closing;
    private volatile @Nullable Started started;
    private volatile boolean closed;

    /** What exists only between start and close. */
    private record Started(
            String clientId,
            BackendListener listener,
            Topology topology,
            Courier courier,
            Claims claims,
            Renewals renewals,
            Inspector inspector,
            Ledger ledger,
            Messages messages,
            ClientCard card,
            Caretaker caretaker) {}

    RedisBackend(RedisDriver driver, RedisSettings settings, boolean isCluster, TopologyMaker maker, Runnable closing) {
        this.driver = driver;
        this.isCluster = isCluster;
        this.settings = settings;
        this.maker = maker;
        this.closing = closing;
    }

    @Override
    public void start(String clientId, BackendListener listener) {
        if (closed || started != null) {
            throw new IllegalStateException(this + " cannot be started a second time");
        }
        TokenFloor floor = new TokenFloor();
        Secrets secrets = new Secrets();
        Handshake handshake = new Handshake(settings, clientId, new OwnTags(), isCluster, floor);
        Topology topology = maker.apply(this, handshake);
        Courier courier = new Courier(topology, settings);
        Ledger ledger = new Ledger(settings);
        Proofs proofs = new Proofs(topology, settings);
        ClientCard card = new ClientCard(courier, settings, clientId, listener::lines);
        started = new Started(
                clientId,
                Objects.requireNonNull(listener),
                topology,
                courier,
                new Claims(courier, settings, ledger, proofs, floor, secrets),
                new Renewals(courier, topology, settings, ledger, proofs),
                new Inspector(courier, topology, settings),
                ledger,
                new Messages(settings, listener, ledger, floor, secrets),
                card,
                new Caretaker(topology, settings, ledger, proofs, card, clientId));
        long untilNanos = untilNanos(settings.requestTimeout().multipliedBy(2));
        try {
            shakeHands(topology.nodes(untilNanos), untilNanos);
        } catch (RuntimeException failure) {
            if (!settings.isMember() || !Troubles.isPassing(failure)) {
                throw Troubles.connecting(settings, failure);
            }
            LOG.log(Level.DEBUG, () -> "a member of a quorum is asked again when needed: " + failure.getMessage());
        }
        handshake.opened();
        try {
            card.write(untilNanos);
        } catch (RuntimeException later) {
            LOG.log(Level.DEBUG, () -> "the card of " + clientId + " is written later: " + later.getMessage());
        }
        started().caretaker.start();
        if (topology.takesManyKeys()) {
            topology.known().forEach(node -> node.ear().open()); // one connection, and whoever waits first is not deaf
        }
    }

    /** One server must do; a shard of a cluster that is down now is asked again when it is needed. */
    private static void shakeHands(Collection<Node> nodes, long untilNanos) {
        RuntimeException down = null;
        int fit = 0;
        for (Node node : nodes) {
            try {
                Duration skew = node.session(untilNanos).skew();
                if (Session.isFarAhead(skew) || Session.isFarBehind(skew)) {
                    throw Claims.tooFarOff(node, skew);
                }
                fit++;
            } catch (RedisLinkException broken) {
                down = broken;
            }
        }
        if (fit == 0 && down != null) {
            throw down;
        }
    }

    @Override
    public void doubtTopology(Node node) {
        doubtTopology(node.address());
    }

    /** Another server may be meant than the one at this address. */
    void doubtTopology(RedisAddress address) {
        Started now = started;
        if (now != null) {
            now.topology.doubt(address);
        }
    }

    /** The topology is made later than who asks it. */
    private final class OwnTags implements Handshake.Tags {
        @Override
        public String tagOf(Node node, String before, int skip) {
            return topology().tagOf(node, before, skip);
        }

        @Override
        public String slotsOf(Node node, List<?> ranges) {
            return topology().slotsOf(node, ranges);
        }
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

    private static long untilNanos(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    @Override
    public AttemptResult attempt(Claim claim, Duration patience) {
        return usable().claims.attempt(claim, patience);
    }

    @Override
    public boolean release(Claim claim) {
        Started now = usable();
        now.ledger.released(claim.id());
        return now.claims.release(claim.resource(), Text.claim(claim));
    }

    @Override
    public Supplier<AttemptResult> beginAttempt(Claim claim, Duration patience) {
        return usable().claims.beginAttempt(claim, patience);
    }

    @Override
    public Supplier<Boolean> beginRelease(Claim claim, Duration patience) {
        Started now = usable();
        now.ledger.released(claim.id());
        return now.claims.beginRelease(claim.resource(), Text.claim(claim), patience);
    }

    /** The process, if it is one: a server that was reached by another name is the same one. */
    @Override
    public Optional<String> storeId() {
        return onlySession().map(session -> ServerInfo.process(session.incarnation()));
    }

    @Override
    public String part(Resource resource) {
        Started now = started;
        return now == null ? "" : now.topology.partOf(Text.key(settings.prefix(), resource));
    }

    @Override
    public OptionalLong tokenNow() {
        Optional<Session> session = onlySession();
        return session.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(session.get().clock().atMostMicros(System.nanoTime()));
    }

    /** What is known of the server, if there is one and not several. */
    private Optional<Session> onlySession() {
        Collection<Node> nodes = usable().topology.known();
        return nodes.size() == 1 ? Optional.ofNullable(nodes.iterator().next().current()) : Optional.empty();
    }

    /** The holder hears of it at once if it listens, and at its next renewal otherwise. */
    @Override
    public boolean revoke(Claim claim) {
        Started now = usable();
        boolean known = now.claims.release(claim.resource(), Text.claim(claim));
        if (known) {
            String key = Text.key(settings.prefix(), claim.resource());
            try {
                now.courier.call(key, untilNanos(settings.requestTimeout()), (node, session) -> new byte[][] {
                    Text.bytes(session.isSharded() ? "SPUBLISH" : "PUBLISH"),
                    Text.bytes(session.channelOf(claim.id().client())),
                    Text.bytes(Messages.revocation(claim))
                });
            } catch (RuntimeException unheard) {
                LOG.log(
                        Level.DEBUG,
                        () -> claim.id() + " will hear of it at its next renewal: " + unheard.getMessage());
            }
        }
        return known;
    }

    @Override
    public Optional<ClientView> client(String clientId) {
        try {
            return usable().inspector.client(clientId);
        } catch (RuntimeException failure) {
            throw Troubles.with(clientId, settings, failure);
        }
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
            throw Troubles.with(resource, settings, failure);
        }
    }

    @Override
    public Stream<ResourceView> list(String namePrefix) {
        try {
            return usable().inspector.list(namePrefix);
        } catch (RuntimeException failure) {
            throw Troubles.with(namePrefix, settings, failure);
        }
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
            now.caretaker.close();
            try {
                now.card.remove(untilNanos(GOODBYE));
            } catch (RuntimeException itEnds) {
                LOG.log(Level.DEBUG, () -> "the card of " + now.clientId + " ends by itself: " + itEnds.getMessage());
            }
            now.topology.known().forEach(Node::close);
        }
        driver.close();
        closing.run();
    }

    // ---- messages

    @Override
    public void heard(Node node, byte[] message, long receivedNanos) {
        Started now = started;
        if (now != null) {
            now.messages.heard(node, Text.string(message), receivedNanos);
        }
    }

    @Override
    public void missed() {
        Started now = started;
        if (now != null && !closed) {
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
