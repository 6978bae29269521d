package io.holdfast.tck;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;

/**
 * What a backend author gives to {@link BackendContract}: a store, and connections to it. A test makes one fixture,
 * opens several clients with it, and closes it at the end. Names are random, so tests do not disturb each other on a
 * shared server.
 *
 * <p><b>Threads.</b> {@link #newBackend} is called from several threads; the rest from one.
 *
 * <p><b>Implementing.</b> For authors of backends. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface BackendFixture extends AutoCloseable {

    /**
     * Connects one more client to the store, on the clocks of the machine.
     *
     * @return a backend that was not started
     */
    default LockBackend newBackend() {
        return newBackend(TimeSource.system());
    }

    /**
     * Connects one more client to the store. Every backend of a fixture sees the same locks. The kit starts and closes
     * it, or asks it a question and closes it without a start.
     *
     * @param clocks the only clocks that this client looks at, as if it were on a machine of its own; some are wrong by
     *     an hour. A backend that looked at the machine's own clock would get away with what {@link SkewContract} is
     *     there to find
     * @return a backend that was not started
     */
    LockBackend newBackend(TimeSource clocks);

    /**
     * Returns by how much the wall clock of a client may be wrong. A store that lets no client in whose clock is
     * further off than that says so when it is started.
     *
     * @return more than ten seconds; an hour unless overridden, which is as wrong as clocks are in the kit
     */
    default Duration clockTolerance() {
        return SkewedTime.MOST;
    }

    /**
     * Returns how to make the store forget every claim at once, as a restart without a disk would. Afterwards the store
     * may refuse new claims until the longest lease that was granted before has passed, which is below a second in
     * these tests, but not for much longer. There are no tests about it when it is empty.
     *
     * @return makes the store forget and returns when it has forgotten; empty when the store cannot be made to
     */
    default Optional<Runnable> forgetEverything() {
        return Optional.empty();
    }

    /**
     * Tells whether a store that forgot everything grants nothing before every lease from before has ended.
     *
     * @return false unless overridden; then only tokens are promised to grow
     */
    default boolean guardsAfterForgetting() {
        return false;
    }

    /**
     * Tells whether the store keeps a line of waiting claims. A store that answers {@code Busy} to a claim that wants
     * to wait has none, and no tests about order.
     *
     * @return true unless overridden
     */
    default boolean keepsLine() {
        return true;
    }

    /**
     * Tells whether the store says by itself that a waiting claim was served, so that its client need not ask. One that
     * keeps a line and tells nobody answers {@code Queued} with {@code announced} false, and waiters ask ten times a
     * second. There are no tests about what is told then. Means nothing for a store without a line.
     *
     * @return true unless overridden
     */
    default boolean announces() {
        return true;
    }

    /**
     * Tells whether {@code LockBackend.close()} ends what the client holds at once, as a store does whose claims live
     * in a session. There is no test then that closing leaves them alone.
     *
     * @return false unless overridden
     */
    default boolean endsWithClient() {
        return false;
    }

    /**
     * Tells whether clients see of each other who waits while holding something: {@code LockBackend.publishWaits} and
     * {@code LockBackend.waitsOf}. There are no tests about deadlocks across clients otherwise.
     *
     * @return true unless overridden
     */
    default boolean showsWaits() {
        return true;
    }

    /**
     * Returns a network to the store that can be broken; always the same one. There are no tests about it when it is
     * empty.
     *
     * @return empty unless overridden
     */
    default Optional<Wire> wire() {
        return Optional.empty();
    }

    /**
     * Returns by how much every lease and wait of the kit is stretched, for a store that answers slowly. With one,
     * leases are as short as 300 ms.
     *
     * @return at least one
     */
    default int timeScale() {
        return 1;
    }

    /** Ends what the fixture started. Every backend was closed before. */
    @Override
    void close();
}
