package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What was acquired, held until it is closed or lost: one name as a {@link Lease}, several as a {@link MultiLease}.
 *
 * <p><b>Guarantees.</b> While {@link #isValid()} answers true nobody else holds it, as judged by this process's own
 * clocks: the deadline is counted from before the request was sent, less a margin, on the monotonic clock and on the
 * wall clock. <em>Lost</em> is final: it is told once, by the deadline, before the store lets anybody else in, and no
 * later success takes it back.
 *
 * <p><b>Not guaranteed.</b> A process that stops (garbage collection, suspended machine) between a check and a write
 * can write after its deadline. Only a resource that compares tokens stops that. A store that forgets what it granted,
 * or an operator who takes it away, lets others in at once. That is told when the store can tell, and at the next
 * renewal at the latest.
 *
 * <p><b>Threads.</b> Not tied to a thread: acquire in one, close in another, hold it across asynchronous stages.
 *
 * <p><b>Interruption.</b> No method waits for another holder, and none reacts to an interrupt.
 *
 * <p><b>Failures.</b> {@link #close()} never throws because of the store: a release that could not be delivered is
 * repeated in the background until the lease would have ended by itself.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface Held extends AutoCloseable {

    /**
     * Returns the time until the deadline, computed now.
     *
     * @return the time left; zero when it is closed, lost or past its deadline
     */
    Duration remaining();

    /**
     * Asks the clocks, not the store, whether this is still held.
     *
     * @return true while it is neither closed nor lost nor past its deadline
     */
    boolean isValid();

    /**
     * Returns if it is valid and throws otherwise: the line to put before something that must not happen twice.
     *
     * @throws LockLostException if it was lost
     * @throws IllegalStateException if it was closed
     */
    void ensureValid();

    /**
     * Makes it last at least {@code lease} from now, but not beyond {@link LockOptions#maxHold()}. Never shortens it.
     * One trip to the store for each name.
     *
     * @param lease the time from now
     * @throws IllegalArgumentException if no lease may be that long or that short; it lasts as long as before then
     * @throws LockLostException if it is lost, or the store no longer knows it
     * @throws IllegalStateException if it was closed
     * @throws LockStoreException if the store could not be asked; it lasts as long as before then
     */
    void extend(Duration lease);

    /**
     * Registers what to do when it is lost. Runs at most once, on a thread of the client, and at once if it is lost
     * already. Never runs if it was closed first. An exception from it is logged.
     *
     * @param action receives the reason
     */
    void onLost(Consumer<LostReason> action);

    /**
     * Registers what to do when a renewal fails while there is still time left: slow down, save, get ready. Runs once
     * per run of consecutive failures of one name. An exception from it is logged.
     *
     * @param action runs on a thread of the client
     */
    void onAtRisk(Runnable action);

    /**
     * Returns a stage that completes when it is lost and never if it is closed first.
     *
     * @return completes with the reason
     */
    CompletionStage<LostReason> lost();

    /** Gives it back. Closing twice, or closing what was lost, does nothing. */
    @Override
    void close();

    /**
     * Ends it, and leaves it taken for {@code time} from now: for work that must not be done again so soon. It is over
     * for this holder as after {@link #close()}, and renewed no more. Nobody gets it before that time has passed, no
     * other thread of this client either, whatever happens to this client: also if it is closed, or its process dies.
     * Then it is given back, if this client is still there; else it ends when what was left of its lease has, too.
     * {@link LockOptions#maxHold()} does not make it shorter. At most one trip to the store for each name.
     *
     * @param time how long from now; zero is {@link #close()}
     * @throws UnsupportedOperationException if the store ends with its client what that holds; nothing has changed
     *     then. {@link LockClient#longestCloseAfter()} tells it before
     * @throws IllegalArgumentException if the time is negative, or longer than {@link LockClient#longestCloseAfter()};
     *     nothing has changed then
     * @throws LockLostException if it is lost
     * @throws IllegalStateException if it was closed
     * @throws LockStoreException if the store could not be asked. It is over and not given back then, but others may
     *     have it when what was left of its lease has ended, perhaps before the time
     */
    void closeAfter(Duration time);

    /**
     * Gives it back without blocking the calling thread.
     *
     * @return completes when the release has been tried, or with an {@link IllegalStateException} if the client is
     *     closed before that and its store does not answer
     */
    CompletableFuture<Void> closeAsync();
}
