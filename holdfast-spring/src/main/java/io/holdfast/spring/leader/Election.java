package io.holdfast.spring.leader;

import io.holdfast.Candidacy;
import io.holdfast.LeaderElection;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;

/**
 * This process as a candidate, as a bean: stands when the application has started, and steps down first when it stops.
 * Publishes {@link LeaderGranted} and {@link LeaderRevoked}.
 *
 * <p><b>Guarantees.</b> At most one process leads, as each judges by its own clocks. Whoever steps down has told its
 * listeners before another process can lead. When the application stops, {@link LeaderOnly} calls that run are awaited
 * for as long as the application gives this phase; then the lead is given back.
 *
 * <p><b>Not guaranteed.</b> That of {@link io.holdfast.Held}: between a question and a write a process may stand still
 * past its lease. A fence with the token of the {@link #term()} stops that.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Events come on a thread of the candidacy.
 *
 * <p><b>Failures.</b> A store that cannot be asked is a warning in the log, and the candidate goes on standing. What a
 * listener throws is logged and does not end the term.
 *
 * <pre>{@code
 * @Bean
 * Election billing(LockClient locks) {
 *     return new Election(locks, "billing");
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class Election implements SmartLifecycle, ApplicationEventPublisherAware {
    private static final Logger LOGGER = System.getLogger("io.holdfast.spring");

    private final LeaderElection election;
    private final ReentrantLock mutex = new ReentrantLock();
    private volatile @Nullable ApplicationEventPublisher events;
    private volatile @Nullable Candidacy candidacy;
    private volatile @Nullable Lease term;

    /** Calls that run in a term, what to do when there is none, and whether new ones may begin; under the mutex. */
    private int calls;

    private boolean steppingDown;
    private @Nullable Runnable whenIdle;

    /**
     * A candidate with the client's default options.
     *
     * @param locks the client
     * @param name what is led
     */
    public Election(LockClient locks, String name) {
        this(locks.election(name));
    }

    /**
     * A candidate.
     *
     * @param locks the client
     * @param name what is led
     * @param options how a term is held
     */
    public Election(LockClient locks, String name, LockOptions options) {
        this(locks.election(name, options));
    }

    private Election(LeaderElection election) {
        this.election = election;
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        events = Objects.requireNonNull(publisher, "publisher");
    }

    /**
     * Returns what is led.
     *
     * @return the name
     */
    public String name() {
        return election.name();
    }

    /**
     * Asks the clocks, not the store, whether this process leads.
     *
     * @return true while it does and is not stepping down
     */
    public boolean isLeader() {
        return term().isPresent();
    }

    /**
     * Returns the term in which this process leads.
     *
     * @return its lease, with the token; empty while this process does not lead
     */
    public Optional<Lease> term() {
        Lease current = term;
        return current != null && current.isValid() ? Optional.of(current) : Optional.empty();
    }

    // ---- calls in a term

    /** A call begins. The term it belongs to, or null if it must not. {@link #leave} must follow unless it is null. */
    @Nullable
    Lease enter() {
        mutex.lock();
        try {
            Lease current = steppingDown ? null : term().orElse(null);
            calls += current == null ? 0 : 1;
            return current;
        } finally {
            mutex.unlock();
        }
    }

    void leave() {
        Runnable stopped;
        Candidacy standing;
        mutex.lock();
        try {
            calls--;
            stopped = calls == 0 ? whenIdle : null;
            whenIdle = calls == 0 ? null : whenIdle;
            standing = stopped == null ? null : taken();
        } finally {
            mutex.unlock();
        }
        if (stopped != null) {
            stepDown(standing, stopped);
        }
    }

    // ---- a term

    private void lead(Lease granted) {
        term = granted;
        publish(new LeaderGranted(name(), granted.token()));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } finally {
            term = null;
            boolean interrupted = Thread.interrupted(); // a listener may wait for something
            publish(new LeaderRevoked(name(), granted.token()));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void publish(Object event) {
        ApplicationEventPublisher publisher = events;
        if (publisher == null) {
            return;
        }
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException trouble) {
            LOGGER.log(Level.WARNING, "a listener of " + event + " threw; the term goes on", trouble);
        }
    }

    // ---- the life of the application

    /** Also while a stop waits for a call: that stop is over then, and the lead was never given back. */
    @Override
    public void start() {
        Runnable stopped;
        mutex.lock();
        try {
            stopped = whenIdle;
            whenIdle = null;
            steppingDown = false;
            if (candidacy == null) {
                candidacy = election.stand(this::lead);
            }
        } finally {
            mutex.unlock();
        }
        if (stopped != null) {
            stopped.run();
        }
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** No call begins from now on; when the last one has ended, the lead is given back. */
    @Override
    public void stop(Runnable callback) {
        boolean idle;
        Candidacy standing;
        mutex.lock();
        try {
            steppingDown = true;
            idle = calls == 0;
            whenIdle = idle ? null : callback;
            standing = idle ? taken() : null;
        } finally {
            mutex.unlock();
        }
        if (idle) {
            stepDown(standing, callback);
        }
    }

    /** Under the mutex: who starts from now on stands anew. */
    private @Nullable Candidacy taken() {
        Candidacy standing = candidacy;
        candidacy = null;
        return standing;
    }

    private static void stepDown(@Nullable Candidacy standing, Runnable callback) {
        if (standing != null) {
            standing.close();
        }
        callback.run();
    }

    @Override
    public boolean isRunning() {
        return candidacy != null;
    }

    /**
     * Returns the last phase: started after all others, stopped before them.
     *
     * @return {@link Integer#MAX_VALUE}
     */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return "Election of '" + name() + "' (" + (isLeader() ? "leads" : isRunning() ? "stands" : "stopped") + ")";
    }
}
