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
final class Upkeep {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");
    private static final Duration PERIOD = Duration.ofMillis(50);

    /** What is held for less is not worth a watch. */
    private static final Duration MOMENT = Duration.ofMillis(150);

    private static final Duration NOTES = Duration.ofSeconds(1);

    private final Sessions sessions;
    private final OwnClaims claims;
    private final Removals removals;
    private final ClientNote note;
    private final BackendListener listener;
    private final TimeSource time;
    private final ScheduledExecutorService thread;
    private long notedNanos;

    Upkeep(
            String clientId,
            Sessions sessions,
            OwnClaims claims,
            Removals removals,
            ClientNote note,
            BackendListener listener,
            TimeSource time) {
        this.sessions = sessions;
        this.claims = claims;
        this.removals = removals;
        this.note = note;
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
                session.beat(note.bytes());
                endOverdue(session);
                removals.again(session);
                claims.toWatch(time.nanoTime() - MOMENT.toNanos()).forEach(this::watch);
                tellLines(session);
            }
        } catch (RuntimeException unexpected) {
            LOG.log(Level.WARNING, "a round of upkeep failed; the next one comes", unexpected);
        }
    }

    /** Without a connection it is kept here, and ended with the first that there is. */
    private void endOverdue(Session session) {
        claims.takeEnded().forEach(own -> removals.remove(session, own));
    }

    /** Whoever deletes the node of a claim that holds ends it; the watch tells. */
    private void watch(OwnClaim own) {
        String path = Objects.requireNonNull(own.path);
        own.session
                .nodes()
                .exists(path, event -> {
                    if (event.getType() == EventType.NodeDeleted) {
                        revoked(own);
                    }
                })
                .whenComplete((stat, failure) -> {
                    if (failure == null && stat == null) {
                        revoked(own);
                    }
                });
    }

    private void revoked(OwnClaim own) {
        if (claims.end(own)) {
            listener.revoked(own.claim.id());
        }
    }

    private void tellLines(Session session) {
        long nowNanos = time.nanoTime();
        if (nowNanos - notedNanos >= NOTES.toNanos()) {
            notedNanos = nowNanos;
            if (note.note(listener.lines())) {
                session.barrier(note.bytes());
            }
        }
    }

    /** Returns when nothing is being done any more. */
    void close() {
        thread.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            if (!thread.awaitTermination(PERIOD.toMillis() * 100, TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "the upkeep of a closed client has not ended yet");
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
