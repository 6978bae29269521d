package io.holdfast.tck;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.FaultyBackend;
import java.time.Duration;

/**
 * A bad network between some clients and the store, below the backend: for instance a proxy that knows where a request
 * ends. {@link FaultyBackend} breaks whole calls; this breaks what a call sends.
 *
 * <p>Other clients of the fixture reach the store without it.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Implementing.</b> For authors of backends. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface Wire {

    /**
     * Connects one more client to the store through this wire. Its {@code requestTimeout()} should be short, about half
     * a second: the contract has to wait for it several times.
     *
     * @param clocks the only clocks that this client looks at
     * @return a backend that was not started
     */
    LockBackend newBackend(TimeSource clocks);

    /**
     * Loses the next reply: the store executes the request, and the client gets no answer. What follows on the same
     * connection may be lost as well, but nothing comes out of turn.
     */
    void dropNextReply();

    /**
     * Keeps all requests for a time, also on connections that are made meanwhile, and then lets them go on to the store
     * all at once, also those whose clients have given up.
     *
     * @param time how long, from now
     */
    void holdRequests(Duration time);

    /**
     * Tells how much was broken, so that a test can see that something was.
     *
     * @return how many replies were lost and requests kept so far
     */
    long faults();
}
