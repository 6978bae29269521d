package io.holdfast.redis.backend;

import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.Proofs;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.Topology;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.Rounds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the servers in the background: checks each subscription, renews the client's record, and now and then
 * repeats the handshake with guarded servers, because one that lost its role and got it back keeps its connections. A
 * server that is shut gets a handshake every time.
 */
final class Maintenance {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final long RECORD_NANOS = ClientRecord.LIFE.dividedBy(4).toNanos();

    private final Topology topology;
    private final RedisSettings settings;
    private final Timing time;
    private final HeldClaims held;
    private final Proofs proofs;
    private final ClientRecord clientRecord;
    private final Rounds rounds;
    private long recordNanos;

    /** Until a server has answered for the first time. */
    private @Nullable FirstMeeting first;

    Maintenance(
            Topology topology,
            RedisSettings settings,
            HeldClaims held,
            Proofs proofs,
            ClientRecord clientRecord,
            String clientId) {
        this.topology = topology;
        this.settings = settings;
        this.time = settings.time();
        this.held = held;
        this.proofs = proofs;
        this.clientRecord = clientRecord;
        this.rounds = new Rounds("holdfast-" + clientId + "-maintenance", ROUND, LOG, this::round);
    }

    /** @param met whether a server has answered already */
    void start(boolean met) {
        first = met ? null : new FirstMeeting(topology, settings);
        recordNanos = time.nanos();
        rounds.start();
    }

    void close() {
        rounds.close();
    }

    private void round() {
        long nowNanos = time.nanos();
        long untilNanos = nowNanos + settings.requestTimeout().toNanos();
        Rounds.guarded(LOG, () -> held.tidy(nowNanos));
        FirstMeeting pending = first;
        if (pending != null) {
            if (!pending.isDone(untilNanos)) {
                return;
            }
            first = null;
            Rounds.guarded(LOG, () -> clientRecord.write(untilNanos));
        }
        topology.known()
                .forEach(node -> Rounds.guarded(LOG, () -> node.subscription().check(nowNanos)));
        topology.known().forEach(node -> Rounds.guarded(LOG, () -> look(node, nowNanos)));
        topology.known()
                .forEach(node -> Rounds.guarded(LOG, () -> node.connections().trim(nowNanos)));
        if (nowNanos - recordNanos > RECORD_NANOS) {
            recordNanos = nowNanos;
            Rounds.guarded(LOG, () -> clientRecord.write(untilNanos));
        }
        Rounds.guarded(LOG, () -> clientRecord.tell(untilNanos));
    }

    private void look(Node node, long nowNanos) {
        Session known = node.current();
        boolean due = nowNanos - node.lastShakeNanos() > settings.longestLease().toNanos() / 3
                || (known != null && known.gate().wantsALook(node.lastShakeNanos()));
        if (settings.isStrict() && due && topology.isCurrent(node)) {
            node.look(nowNanos + settings.requestTimeout().toNanos());
        } else if (known != null && topology.isCurrent(node)) {
            proofs.refresh(node, known, nowNanos + settings.requestTimeout().toNanos());
        }
    }
}
