package io.holdfast.quorum;

import io.holdfast.spi.Rounds;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Looks after the members in the background: probes those that are down, repeats releases they have missed, and tops up
 * holders.
 */
final class Maintenance {
    private static final System.Logger LOG = System.getLogger("io.holdfast.quorum");
    private static final Duration ROUND = Duration.ofMillis(250);

    /** A younger hold is not topped up: most holds end sooner. */
    private static final long YOUNG_NANOS = 100_000_000;

    private final Members members;
    private final TimeSource time;
    private final Collection<QuorumClaim> claims;
    private final Voting voting;
    private final Executor executor;
    private final Runnable recovered;
    private final Consumer<QuorumClaim> forgotten;
    private final Rounds rounds;

    Maintenance(
            String clientId,
            Members members,
            Collection<QuorumClaim> claims,
            Voting voting,
            Executor executor,
            Runnable recovered,
            Consumer<QuorumClaim> forgotten) {
        this.members = members;
        this.time = members.time();
        this.claims = claims;
        this.voting = voting;
        this.executor = executor;
        this.recovered = recovered;
        this.forgotten = forgotten;
        this.rounds = new Rounds("holdfast-" + clientId + "-quorum-maintenance", ROUND, LOG, this::round);
    }

    void start() {
        rounds.start();
    }

    void close() {
        rounds.close();
    }

    private void round() {
        long nowNanos = time.nanoTime();
        for (Member member : members) {
            if (member.isBarred()) {
                continue;
            }
            if (!member.isUp()) {
                executor.execute(() -> probe(member));
            } else if (member.debts() > 0) {
                executor.execute(() -> member.pay(nowNanos));
            }
        }
        Rounds.guarded(LOG, () -> voting.tidy(nowNanos));
        for (QuorumClaim quorumClaim : claims) {
            Rounds.guarded(LOG, () -> lookAfter(quorumClaim));
            if (time.nanoTime() - nowNanos > ROUND.toNanos()) {
                break; // the others follow in the next round
            }
        }
    }

    private void probe(Member member) {
        if (member.probe()) {
            Optional<Member> twin = members.twinOf(member);
            if (twin.isPresent()) {
                member.bar(new IllegalStateException("is the same server as " + twin.get()));
                LOG.log(Level.ERROR, member + " is the same server as " + twin.get() + ", and has no vote of its own");
                return;
            }
            LOG.log(Level.INFO, member + " answers again");
            recovered.run();
        }
    }

    /** Claims members that a holder lacks. Ends a claim that is no longer renewed or asked for. */
    private void lookAfter(QuorumClaim quorumClaim) {
        if (!quorumClaim.lock.tryLock()) {
            return;
        }
        try {
            long nowNanos = time.nanoTime();
            if (quorumClaim.isOver(nowNanos)) {
                forgotten.accept(quorumClaim);
            } else if (quorumClaim.isHeldSince(nowNanos - YOUNG_NANOS) && !quorumClaim.isEverywhere()) {
                voting.topUp(quorumClaim);
            }
        } finally {
            quorumClaim.lock.unlock();
        }
    }
}
