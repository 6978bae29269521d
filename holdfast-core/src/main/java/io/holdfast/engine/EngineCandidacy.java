package io.holdfast.engine;

import io.holdfast.Candidacy;
import io.holdfast.LeaderElection;
import io.holdfast.Lease;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One candidate: a thread that waits for the lock, leads, and waits again.
 *
 * <p><b>Races.</b> The loss of a term against the end of its work: the interrupt is sent under the mutex and only to
 * the term that is running, so that it cannot reach what the thread does next.
 */
final class EngineCandidacy implements Candidacy {
    /** The pause after trouble, so that work that fails each time keeps neither the store nor the log busy. */
    private static final long RETRY_NANOS = 1_000 * Deadline.NANOS_PER_MILLI;

    private static final System.Logger LOGGER = System.getLogger("io.holdfast");

    private final Acquisitions services;
    private final LeaseAcquirer acquirer;
    private final LeaderElection.Work work;
    private final Set<EngineCandidacy> running;
    private final Thread thread;
    private final ReentrantLock mutex = new ReentrantLock();

    /** The term that is running; guarded by the mutex for writing. */
    private volatile @Nullable Lease term;

    private volatile boolean closed;

    EngineCandidacy(
            Acquisitions services, LeaseAcquirer acquirer, LeaderElection.Work work, Set<EngineCandidacy> running) {
        this.services = services;
        this.acquirer = acquirer;
        this.work = work;
        this.running = running;
        this.thread =
                new Thread(this::stand, "holdfast-" + services.life().clientId() + "-election-" + acquirer.name());
        this.thread.setDaemon(true);
    }

    void start() {
        running.add(this);
        try {
            thread.start();
        } catch (Throwable noThread) {
            running.remove(this);
            throw noThread;
        }
        if (services.life().isClosed()) {
            close();
        }
    }

    private void stand() {
        try {
            while (!closed) {
                boolean inTrouble = false;
                try (Lease lease = acquirer.acquireInterruptibly()) {
                    inTrouble = !lead(lease);
                } catch (InterruptedException | IllegalStateException closing) {
                    if (services.life().isClosed()) {
                        closed = true;
                    }
                } catch (RuntimeException trouble) {
                    LOGGER.log(Level.WARNING, "cannot stand for '" + acquirer.name() + "' now; trying again", trouble);
                    inTrouble = true;
                }
                if (inTrouble) {
                    services.runtime().pause(RETRY_NANOS);
                }
            }
        } finally {
            running.remove(this);
        }
    }

    /** Leads for one term. False if the work threw though nothing had ended its term. */
    private boolean lead(Lease lease) {
        lease.onLost(reason -> interruptIf(lease));
        if (!begin(lease)) {
            return true;
        }
        try {
            work.lead(lease);
            return true;
        } catch (Throwable trouble) {
            if (!closed && !thread.isInterrupted()) {
                LOGGER.log(
                        Level.WARNING, "the leader's work for '" + acquirer.name() + "' threw; its term ends", trouble);
            }
            return closed || !lease.isValid();
        } finally {
            end();
        }
    }

    private boolean begin(Lease lease) {
        mutex.lock();
        try {
            if (closed || !lease.isValid()) {
                return false;
            }
            term = lease;
            return true;
        } finally {
            mutex.unlock();
        }
    }

    /** An interrupt that was meant for the work goes with it. */
    private void end() {
        mutex.lock();
        try {
            term = null;
            if (!closed) {
                Thread.interrupted();
            }
        } finally {
            mutex.unlock();
        }
    }

    private void interruptIf(Lease lost) {
        mutex.lock();
        try {
            if (term == lost) {
                thread.interrupt();
            }
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public boolean isLeader() {
        Lease current = term;
        return current != null && current.isValid();
    }

    @Override
    public void close() {
        mutex.lock();
        try {
            closed = true;
            thread.interrupt();
        } finally {
            mutex.unlock();
        }
    }

    /** Waits so long for the work to return, whatever interrupts come. */
    void awaitEnd(long nanos) {
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean interrupted = false;
        boolean waited = false;
        while (!waited) {
            try {
                thread.join(Math.max(1, nanos / Deadline.NANOS_PER_MILLI));
                waited = true;
            } catch (InterruptedException restored) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOGGER.log(Level.WARNING, "the leader''s work for {0} ignores its interrupt", acquirer.name());
        }
    }
}
