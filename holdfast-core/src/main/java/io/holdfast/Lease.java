package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lock that is held until it is closed, or until it is lost.
 *
 * <p><b>Guarantees.</b> While {@link #isValid()} answers true nobody else holds the lock, as judged by this process's own
 * clocks: the deadline is counted from before the request was sent, less a margin, on the monotonic clock and on the wall
 * clock. <em>Lost</em> is final: it is told once, by the deadline, before the store lets anybody else in, and no later success takes it
 * back. The {@link #token()} is greater than that of every earlier lease of this name.
 *
 * <p><b>Not guaranteed.</b> A process that stops (garbage collection, suspended machine) between a check and a write can
 * write after its deadline. Only a resource that compares tokens stops that. A store that forgets what it granted, or an operator who
 * takes it away, lets others in at once; that is told when the store can tell, and at the next renewal at the latest.
 *
 * <p><b>Threads.</b> Not tied to a thread: acquire in one, close in another, hold it across asynchronous stages.
 *
 * <p><b>Interruption.</b> No method waits for another holder, and none reacts to an interrupt.
 *
 * <p><b>Failures.</b> {@link #close()} never throws because of the store: a release that could not be delivered is repeated
 * in the background until the lease would have ended by itself.
 *
 * <pre>{@code
 * try (Lease lease = lock.acquire()) {
 *     lease.onLost(reason -> job.cancel());
 *     storage.write(data, lease.token());
 * }
 * }</pre>
 */
public interface Lease extends AutoCloseable {

    /**
     * Returns what the name is used as.
     *
     * @return the kind; two kinds of one name are independent of each other
     */
    LockKind kind();

    /**
     * Returns the name that is locked.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the fencing token: positive, and greater than that of every earlier lease of this name.
     *
     * @return the token
     */
    long token();

    /**
     * Returns the id of the claim that this lease was made of: never used again, by this client or by another one. Leases that
     * were passed on inside a client may share it, one after another; each has a token of its own. So {@link #token()} and id
     * together name one lease, also where a store that forgot gave the same token twice. That pair is what a fence compares.
     *
     * @return visible ASCII characters, at most 255
     */
    String id();

    /**
     * Returns the time until the deadline, computed now.
     *
     * @return the time left; zero when the lease is closed, lost or past its deadline
     */
    Duration remaining();

    /**
     * Asks the clocks, not the store, whether this lease still holds.
     *
     * @return true while it is neither closed nor lost nor past its deadline
     */
    boolean isValid();

    /**
     * Returns if the lease is valid and throws otherwise: the line to put before something that must not happen twice.
     *
     * @throws LockLostException if it was lost
     * @throws IllegalStateException if it was closed
     */
    void ensureValid();

    /**
     * Makes the lease last at least {@code lease} from now, but not beyond {@link LockOptions#maxHold()}. Never shortens it.
     * One trip to the store.
     *
     * @param lease the time from now
     * @throws LockLostException if the lease is lost, or the store no longer knows it
     * @throws IllegalStateException if it was closed
     * @throws LockStoreException if the store could not be asked; the lease then lasts as long as before
     */
    void extend(Duration lease);

    /**
     * Registers what to do when the lease is lost; runs at most once, on a thread of the client, and at once if the lease is
     * lost already. Never runs for a lease that was closed first. An exception from it is logged.
     *
     * @param action receives the reason
     */
    void onLost(Consumer<LostReason> action);

    /**
     * Registers what to do when a renewal fails while there is still time left: slow down, save, get ready. Runs once per
     * row of failures. An exception from it is logged.
     *
     * @param action runs on a thread of the client
     */
    void onAtRisk(Runnable action);

    /**
     * Returns a stage that completes when the lease is lost and never if it is closed first.
     *
     * @return completes with the reason
     */
    CompletionStage<LostReason> lost();

    /** Gives the lock back. Closing twice, or closing a lost lease, does nothing. */
    @Override
    void close();

    /**
     * Gives the lock back without blocking the calling thread.
     *
     * @return completes when the release has been tried
     */
    CompletableFuture<Void> closeAsync();
}
