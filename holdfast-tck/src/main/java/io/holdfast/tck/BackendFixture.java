package io.holdfast.tck;

import io.holdfast.spi.LockBackend;
import java.util.Optional;

/**
 * What a backend author gives to {@link BackendContract}: a store, and connections to it. A test makes one fixture,
 * opens several clients with it, and closes it at the end. Names are random, so tests do not disturb each other on a
 * shared server.
 *
 * <p><b>Threads.</b> {@link #newBackend()} is called from several threads; the rest from one.
 *
 * @since 0.1
 */
public interface BackendFixture extends AutoCloseable {

    /**
     * Connects one more client to the store. Every backend of a fixture sees the same locks. The kit starts and closes
     * it.
     *
     * @return a backend that was not started
     */
    LockBackend newBackend();

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
