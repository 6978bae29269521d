package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A gate that opens once a number of arrivals have been counted, across processes.
 *
 * <p><b>Guarantees.</b> An arrival is counted once, however often its message is repeated on the way, and stays counted
 * when the process that arrived ends. The number belongs to the name: a client that opens it with another number is
 * refused.
 *
 * <p><b>Not guaranteed.</b> A latch is for one use and is not kept for ever: an arrival counts for one day.
 *
 * <p><b>Threads, interruption.</b> Safe for use by any number of threads; the waiting methods throw when interrupted.
 *
 * <p><b>Failures.</b> {@link LockStoreException} when the store cannot be asked. From {@link #countDown()} it means
 * that the arrival may or may not have been counted.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * <pre>{@code
 * locks.latch("boot", 3).countDown();    // in each of three services
 * locks.latch("boot", 3).await();        // in whoever needs all of them
 * }</pre>
 *
 * @since 0.1
 */
public interface DistributedLatch {

    /**
     * Returns the name of the latch.
     *
     * @return the name
     */
    String name();

    /** Counts one arrival. Does nothing when the latch is open. */
    void countDown();

    /**
     * Asks the store how many arrivals are missing. One trip.
     *
     * @return zero when the latch is open
     */
    int count();

    /**
     * Waits until the latch is open.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    void await() throws InterruptedException;

    /**
     * Waits at most {@code wait} until the latch is open.
     *
     * @param wait how long to wait; zero means one look, a negative time is refused
     * @return whether it is open
     * @throws InterruptedException if the thread is interrupted before or while it waits
     */
    boolean await(Duration wait) throws InterruptedException;

    /**
     * Waits without a thread.
     *
     * @return completes when the latch is open
     */
    CompletableFuture<Void> awaitAsync();
}
