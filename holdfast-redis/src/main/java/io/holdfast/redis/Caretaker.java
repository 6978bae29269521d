package io.holdfast.redis;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the servers while nobody asks: a sign of life from each subscription, the client's card, and now and then a handshake
 * with guarded servers, because one that lost its role and got it back keeps its connections; each time with one that is shut.
 */
final class Caretaker {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final long CARD_NANOS = ClientCard.LIFE.dividedBy(4).toNanos();

    private final Topology topology;
    private final RedisSettings settings;
    private final Ledger ledger;
    private final Proofs proofs;
    private final ClientCard card;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    Caretaker(
            Topology topology, RedisSettings settings, Ledger ledger, Proofs proofs, ClientCard card, String clientId) {
        this.topology = topology;
        this.settings = settings;
        this.ledger = ledger;
        this.proofs = proofs;
        this.card = card;
        this.thread = new Thread(this::run, "holdfast-" + clientId + "-caretaker");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void close() {
        closed.countDown();
    }

    private void run() {
        long cardNanos = System.nanoTime();
        try {
            while (!closed.await(ROUND.toNanos(), TimeUnit.NANOSECONDS)) {
                long nowNanos = System.nanoTime();
                ledger.tidy(nowNanos);
                topology.known().forEach(node -> guarded(() -> node.ear().check(nowNanos)));
                topology.known().forEach(node -> guarded(() -> look(node, nowNanos)));
                topology.known().forEach(node -> node.connections().trim(nowNanos));
                if (nowNanos - cardNanos > CARD_NANOS) {
                    cardNanos = nowNanos;
                    guarded(() ->
                            card.write(nowNanos + settings.requestTimeout().toNanos()));
                }
                guarded(() -> card.tell(nowNanos + settings.requestTimeout().toNanos()));
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Node node, long nowNanos) {
        Session known = node.current();
        boolean due = nowNanos - node.lastShakeNanos() > settings.longestLease().toNanos() / 3
                || (known != null && known.gate().wantsALook(node.lastShakeNanos()));
        if (settings.isStrict() && due && topology.isCurrent(node)) {
            node.doubt();
            node.session(nowNanos + settings.requestTimeout().toNanos());
        } else if (known != null && topology.isCurrent(node)) {
            proofs.refresh(node, known, nowNanos + settings.requestTimeout().toNanos());
        }
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException later) {
            LOG.log(Level.DEBUG, () -> "will try again: " + later.getMessage());
        }
    }
}
