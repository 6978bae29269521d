package io.holdfast.zookeeper.backend;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * What has to be done now and then: ends what nobody renewed, removes what could not be removed, opens the next
 * session, watches what is held for longer than a moment, and lets others see the client's lines. Has one thread.
 */
final class Maintenance {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");
    private static final Duration PERIOD = Duration.ofMillis(50);

    /** What is held for less is not worth a watch. */
    private static final Duration MOMENT = Duration.ofMillis(150);

    private static final Duration NOTES = Duration.ofSeconds(1);

    private final Sessions sessions;
    private final HeldClaims claims;
    private final Removals removals;
    private final ClientRecord record;
    private final BackendListener listener;
    private final TimeSource time;
    private final ScheduledExecutorService thread;
    private long notedNanos;

    Maintenance(
            String clientId,
            Sessions sessions,
            HeldClaims claims,
            Removals removals,
            ClientRecord record,
            BackendListener listener,
            TimeSource time) {
        this.sessions = sessions;
        this.claims = claims;
        this.removals = removals;
        this.record = record;
        this.listener = listener;
        this.time = time;
        this.notedNanos = time.nanoTime();
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "holdfast-zookeeper-" + clientId);
            made.setDaemon(true);
            return made;
        });
    }

    void start() {
        thread.scheduleWithFixedDelay(this::round, PERIOD.toNanos(), PERIOD.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void round() {
        try {
            sessions.revive();
            Session session = sessions.connected();
            if (session != null) {
                session.beat(record.bytes());
                HeldClaims.Due due = claims.takeDue(time.nanoTime() - MOMENT.toNanos());
                due.ended().forEach(own -> removals.remove(session, own));
                removals.again(session);
                due.unwatched().forEach(this::watch);
                tellLines(session);
            }
        } catch (RuntimeException unexpected) {
            LOG.log(Level.WARNING, "a round of maintenance failed; the next one comes", unexpected);
        }
    }

    /**
     * Whoever deletes the node of a claim that holds ends it; the watch tells. A lease that becomes longer uses the
     * watch up, and one that was not heard of is none: then the next round watches again.
     */
    private void watch(HeldClaim own) {
        own.session
                .nodes()
                .watch(Objects.requireNonNull(own.path), event -> {
                    if (event.getType() == EventType.NodeDeleted) {
                        revoked(own);
                    } else if (event.getType() == EventType.NodeDataChanged) {
                        claims.unwatched(own);
                    }
                })
                .whenComplete((there, failure) -> {
                    if (failure != null && ErrorMessages.passes(Answers.keeper(failure))) {
                        claims.unwatched(own);
                    } else if (failure == null && !there) {
                        revoked(own);
                    }
                });
    }

    private void revoked(HeldClaim own) {
        if (claims.end(own)) {
            listener.revoked(own.claim.id());
        }
    }

    private void tellLines(Session session) {
        long nowNanos = time.nanoTime();
        if (nowNanos - notedNanos >= NOTES.toNanos()) {
            notedNanos = nowNanos;
            if (record.update(listener.lines())) {
                session.barrier(record.bytes());
            }
        }
    }

    /** Returns when nothing is being done any more. */
    void close() {
        thread.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            if (!thread.awaitTermination(PERIOD.toMillis() * 100, TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "the maintenance of a closed client has not ended yet");
            }
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
