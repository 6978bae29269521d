package io.holdfast.redis;

import io.holdfast.LockStoreException;
import io.holdfast.redis.Scripts.Name;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LockBackend;
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
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's view of Redis: turns claims into script calls and replies into results.
 *
 * <p>New, then started, then closed, and never back. Has a thread that looks after the servers, and one for each server on which
 * somebody waits. Everything else happens on the caller's thread.
 */
final class RedisBackend implements LockBackend, Ear.Hearer {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final long NANOS_PER_MICRO = 1_000;

    /** A message is believed only if a reply has told the server's time this short ago. */
    private static final long MOST_CLOCK_AGE_NANOS = 3_000_000_000L;

    /**
     * How often a request is sent again that came too late by a wrong idea of the server's clock, or that met more dead places than one call
     * passes over.
     */
    private static final int MOST_RETRIES = 16;

    /** How long closing waits for a server that does not answer. */
    private static final Duration GOODBYE = Duration.ofMillis(500);

    private static final long GRANTED = 1;
    private static final long TOO_LATE = -1;
    private static final long OTHER_CAPACITY = -2;
    private static final long ASK_AGAIN = -3;

    /** How many words a message about a grant has. */
    private static final int GRANT_PARTS = 5;

    /** After a claim: somebody ended it. */
    private static final String REVOKED = "revoked";

    private static final byte[] ZERO = Text.bytes("0");
    private static final byte[] ONE = Text.bytes("1");
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] DEAF = Text.bytes("-");

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
            Renewals renewals,
            Inspector inspector,
            Ledger ledger,
            ClientCard card,
            TokenFloor floor,
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
        Handshake handshake = new Handshake(
                driver, settings, clientId, (node, before) -> topology().tagOf(node, before), isCluster);
        Topology topology = maker.apply(this, handshake);
        Courier courier = new Courier(driver, topology, settings, handshake);
        Ledger ledger = new Ledger(settings, topology.isReplicated());
        ClientCard card = new ClientCard(courier, settings, clientId);
        started = new Started(
                clientId,
                Objects.requireNonNull(listener),
                topology,
                courier,
                new Renewals(courier, topology, settings, ledger),
                new Inspector(courier, topology, settings),
                ledger,
                card,
                new TokenFloor(),
                new Caretaker(topology, settings, ledger, card, clientId));
        long untilNanos = untilNanos(settings.requestTimeout().multipliedBy(2));
        try {
            shakeHands(topology.nodes(untilNanos), untilNanos);
            handshake.opened();
        } catch (RuntimeException failure) {
            throw Troubles.connecting(settings, failure);
        }
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
                failIf(Session.isFarAhead(skew) || Session.isFarBehind(skew), node, skew);
                fit++;
            } catch (RedisLinkException broken) {
                down = broken;
            }
        }
        if (fit == 0 && down != null) {
            throw down;
        }
    }

    private static void failIf(boolean tooFarOff, Node node, Duration skew) {
        if (tooFarOff) {
            throw new RedisUnfitException(node + " has a clock that is " + skew + " off from ours; set both clocks"
                    + " (chrony, NTP): more than a minute apart, tokens cannot be trusted");
        }
    }

    /** Another server may be meant. */
    @Override
    public void doubtTopology() {
        Started now = started;
        if (now != null) {
            now.topology.doubt();
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
        Started now = usable();
        check(claim);
        String key = Text.key(settings.prefix(), claim.resource());
        long handedNanos = System.nanoTime();
        Duration timeout = patience.compareTo(settings.requestTimeout()) < 0 ? patience : settings.requestTimeout();
        try {
            for (int retry = 0; retry <= MOST_RETRIES; retry++) {
                Courier.Answer answer;
                try {
                    answer = now.courier.callReplicated(
                            key,
                            handedNanos + timeout.toNanos(),
                            (node, session) -> attemptCall(claim, key, node, session, handedNanos));
                } catch (Shut shut) {
                    return shut.refusal;
                }
                AttemptResult result = result(claim, answer);
                if (result != null) {
                    return result;
                }
            }
        } catch (RuntimeException failure) {
            throw Troubles.with(claim.resource().name(), settings, failure);
        }
        throw new LockStoreException(
                claim.resource().name(),
                "Redis got the request for '" + claim.resource().name() + "' later than " + settings.requestTimeout()
                        + " after it was made, and did nothing; see why the server or the network is slow",
                null);
    }

    /** Stops a call on its way to a server that is shut. */
    private static final class Shut extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient AttemptResult.Refused refusal;

        Shut(AttemptResult.Refused refusal) {
            super(null, null, false, false);
            this.refusal = refusal;
        }
    }

    private byte[][] attemptCall(Claim claim, String key, Node node, Session session, long handedNanos) {
        failIf(Session.isFarAhead(session.skew()), node, session.skew());
        long shutMicros = session.shutForMicros(System.nanoTime());
        if (shutMicros > 0) {
            throw new Shut(new AttemptResult.Refused(
                    "Redis restarted or another server took over, and what was held before may have been forgotten; nothing new is"
                            + " granted until those leases have ended",
                    Duration.ofNanos(shutMicros * NANOS_PER_MICRO)));
        }
        Resource resource = claim.resource();
        byte[] ear = !claim.waits() ? NOTHING : node.ear().listens(session) ? Text.bytes(session.ear()) : DEAF;
        long notAfter = session.clock().atLeastMicros(handedNanos)
                + settings.requestTimeout().toNanos() / NANOS_PER_MICRO;
        long leaseMillis = millis(claim.lease());
        byte[] id = Text.bytes(Text.claim(claim));
        byte[][] floor = started().floor.arguments(session.clock(), handedNanos);
        if (isMutex(resource.kind())) {
            return session.call(
                    Name.LOCK_ATTEMPT,
                    key,
                    floor,
                    id,
                    Text.bytes(notAfter),
                    Text.bytes(leaseMillis),
                    Text.bytes(claim.tokens()),
                    Text.bytes(Scripts.lifeMillis(leaseMillis)),
                    ear);
        }
        return session.call(
                Name.SHARE_ATTEMPT,
                key,
                floor,
                id,
                Text.bytes(notAfter),
                Text.bytes(leaseMillis),
                Text.bytes(claim.tokens()),
                ear,
                Text.bytes(claim.weight()),
                Text.bytes(resource.capacity()),
                resource.kind() == Kind.LATCH ? ONE : ZERO);
    }

    /** What a reply means; null: ask again, because the server's clock was not what we thought, or it has not finished. */
    private @Nullable AttemptResult result(Claim claim, Courier.Answer answer) {
        List<?> reply = answer.list();
        learn(answer, Text.number(reply.get(1)));
        long code = Text.number(reply.get(0));
        if (code == TOO_LATE || code == ASK_AGAIN) {
            return null;
        }
        long third = Text.number(reply.get(2));
        if (code == OTHER_CAPACITY) {
            return new AttemptResult.Mismatched((int) third);
        }
        Duration left = Duration.ofNanos(third * NANOS_PER_MICRO);
        long fourth = Text.number(reply.get(3));
        if (code == GRANTED) {
            return granted(claim, answer, fourth, left, Text.number(reply.get(1)));
        }
        if (!claim.waits() || fourth <= 0) {
            return new AttemptResult.Busy(left);
        }
        boolean announced = answer.node().ear().listens(answer.session());
        if (!announced) {
            answer.node().ear().open();
        }
        return new AttemptResult.Queued((int) Math.min(fourth, Integer.MAX_VALUE), left, announced);
    }

    private AttemptResult granted(Claim claim, Courier.Answer answer, long token, Duration left, long serverMicros) {
        if (answer.replicas() < settings.replicas()) {
            release(claim);
            throw new LockStoreException(
                    claim.resource().name(),
                    answer.node() + " granted '" + claim.resource().name() + "', but fewer than " + settings.replicas()
                            + " replicas had it after " + settings.replicasTimeout()
                            + "; it was given back. Bring the replicas up, or ask for fewer with replicas(n, timeout)",
                    null);
        }
        Duration skew = Handshake.skew(serverMicros);
        if (Session.isFarAhead(skew)) {
            release(claim);
            failIf(true, answer.node(), skew);
        }
        started().ledger.granted(claim, token, left);
        return new AttemptResult.Granted(token, left);
    }

    private void learn(Courier.Answer answer, long serverMicros) {
        if (!Session.isFarAhead(Handshake.skew(serverMicros))) {
            started().floor.raise(serverMicros);
        }
        long jumpNanos = answer.session().clock().learn(answer.sentNanos(), answer.receivedNanos(), serverMicros);
        if (jumpNanos != 0) {
            answer.node().doubt();
            LOG.log(
                    Level.WARNING,
                    "the clock of " + answer.node() + " was set by about " + Duration.ofNanos(jumpNanos)
                            + (jumpNanos > 0 ? "; leases may have ended early by as much" : ""));
        }
    }

    static boolean isMutex(Kind kind) {
        return kind == Kind.LOCK || kind == Kind.ELECTION;
    }

    static long millis(Duration lease) {
        long millis = lease.toMillis();
        return Math.max(1, lease.toNanosPart() % 1_000_000 == 0 ? millis : millis + 1);
    }

    private void check(Claim claim) {
        Resource resource = claim.resource();
        int lightest = resource.kind() == Kind.LATCH ? 0 : 1;
        if (claim.weight() < lightest || claim.weight() > resource.capacity()) {
            throw new IllegalArgumentException("weight of claim " + claim.id() + " is " + claim.weight() + ", expected "
                    + lightest + " to the capacity of " + resource);
        }
        if (claim.tokens() < 1) {
            throw new IllegalArgumentException(
                    "tokens of claim " + claim.id() + " is " + claim.tokens() + ", expected at least 1");
        }
        if (claim.lease().isZero() || claim.lease().isNegative()) {
            throw new IllegalArgumentException(
                    "lease of claim " + claim.id() + " is " + claim.lease() + ", expected more than nothing");
        }
        if (settings.isStrict()
                && resource.kind() != Kind.LATCH
                && claim.lease().compareTo(settings.longestLease()) > 0) {
            throw new LockStoreException(
                    resource.name(),
                    "a lease of " + claim.lease() + " for '" + resource.name() + "' is longer than the "
                            + settings.longestLease()
                            + " that Safety.STRICT can guard; ask for less, or raise longestLease()"
                            + " in every client",
                    null);
        }
    }

    @Override
    public boolean release(Claim claim) {
        Started now = usable();
        now.ledger.released(claim.id());
        return release(now, claim.resource(), Text.claim(claim));
    }

    private boolean release(Started now, Resource resource, String claim) {
        String key = Text.key(settings.prefix(), resource);
        byte[] id = Text.bytes(claim);
        boolean mutex = isMutex(resource.kind());
        byte[] latch = resource.kind() == Kind.LATCH ? ONE : ZERO;
        try {
            long known = 0;
            for (int more = 0; more < MOST_RETRIES; more++) {
                Courier.Answer answer = now.courier.call(
                        key,
                        untilNanos(settings.requestTimeout()),
                        (node, session) -> mutex
                                ? session.call(Name.LOCK_RELEASE, key, id, Text.bytes(session.shutUntilMicros()))
                                : session.call(
                                        Name.SHARE_RELEASE, key, id, Text.bytes(session.shutUntilMicros()), latch));
                long result = Text.number(answer.reply());
                known |= result & 1;
                if ((result & 2) == 0) {
                    break;
                }
            }
            return known == 1;
        } catch (RuntimeException failure) {
            throw Troubles.with(resource.name(), settings, failure);
        }
    }

    /** The holder hears of it at once if it listens, and at its next renewal otherwise. */
    @Override
    public boolean revoke(Claim claim) {
        Started now = usable();
        boolean known = release(now, claim.resource(), Text.claim(claim));
        if (known) {
            String key = Text.key(settings.prefix(), claim.resource());
            try {
                now.courier.call(key, untilNanos(settings.requestTimeout()), (node, session) -> new byte[][] {
                    Text.bytes(session.isSharded() ? "SPUBLISH" : "PUBLISH"),
                    Text.bytes(session.channelOf(claim.id().client())),
                    Text.bytes(Text.claim(claim) + " " + REVOKED)
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
            throw Troubles.with(resource.name(), settings, failure);
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
            now.topology.known().forEach(node -> node.ear().close());
        }
        driver.close();
        closing.run();
    }

    // ---- messages

    /** A grant by message: claim, first token, the server's time, lease in ms, the server that says so. */
    @Override
    public void heard(Node node, byte[] message, long receivedNanos) {
        Started now = started;
        String[] parts = Text.string(message).split(" ", -1);
        boolean revoked = parts.length == 2 && parts[1].equals(REVOKED);
        if (now == null || (parts.length != GRANT_PARTS && !revoked)) {
            return; // the handshake of some client
        }
        ClaimId claim = Text.claimId(parts[0]);
        if (revoked) {
            now.listener.revoked(claim);
            return;
        }
        Session session = node.current();
        long startNanos = session == null || !session.incarnation().equals(parts[4]) || settings.replicas() > 0
                ? receivedNanos + 1
                : startNanos(session.clock(), Long.parseLong(parts[2]), receivedNanos);
        if (startNanos - receivedNanos > 0) {
            now.listener.served(claim);
            return;
        }
        Duration left = Duration.ofMillis(Long.parseLong(parts[3]));
        long token = Long.parseLong(parts[1]);
        now.ledger.handedOver(claim, token, left);
        now.listener.granted(claim, token, left, startNanos);
    }

    /**
     * The local instant of a grant, or one in the future when it cannot be told: nothing was heard of the server's clock lately, or the
     * grant would not have happened yet, which means that the clock was set.
     */
    private static long startNanos(ServerClock clock, long grantedMicros, long receivedNanos) {
        return clock.ageNanos(receivedNanos) > MOST_CLOCK_AGE_NANOS
                ? receivedNanos + 1
                : clock.notLaterThanNanos(grantedMicros);
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
