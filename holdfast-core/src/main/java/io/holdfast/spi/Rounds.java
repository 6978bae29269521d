package io.holdfast.spi;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread that does the same work again and again until it is closed, such as looking after connections.
 *
 * <p><b>Guarantees.</b> Whatever a round throws is logged, and the next one comes.
 *
 * <p><b>Not guaranteed.</b> That rounds come in time: the pause begins when the round before it has ended.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. All rounds run on the one thread.
 *
 * <p><b>Failures.</b> {@link #start} throws if the machine gives no thread.
 *
 * <pre>{@code
 * Rounds rounds = new Rounds("acme-maintenance", Duration.ofSeconds(2), LOG, this::lookAfterConnections);
 * rounds.start();
 * }</pre>
 *
 * @since 0.1
 */
public final class Rounds implements AutoCloseable {
    private final Duration pause;
    private final Logger log;
    private final Runnable round;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * Makes a thread that does nothing yet.
     *
     * @param threadName what the thread is called
     * @param pause how long to wait before each round, also the first
     * @param log where to say what a round has thrown, as something that the next one may repair
     * @param round the work
     */
    public Rounds(String threadName, Duration pause, Logger log, Runnable round) {
        this.pause = pause;
        this.log = log;
        this.round = round;
        this.thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /** Begins. Called once. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                guarded(log, round);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does one part of a round, so that the other parts do not depend on it.
     *
     * @param log where to say what it has thrown
     * @param part the work
     */
    public static void guarded(Logger log, Runnable part) {
        try {
            part.run();
        } catch (Throwable later) {
            log.log(Level.DEBUG, () -> "will try again: " + later);
        }
    }

    /** Ends after the round that is under way, and does not wait for it. Closing twice does nothing. */
    @Override
    public void close() {
        closed.countDown();
    }
}
