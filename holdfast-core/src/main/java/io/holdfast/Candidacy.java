package io.holdfast;

/**
 * One candidate in a {@link LeaderElection}, until it is closed.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface Candidacy extends AutoCloseable {

    /**
     * Tells whether this candidate leads, by its own clocks.
     *
     * @return true while its term is valid
     */
    boolean isLeader();

    /**
     * Withdraws. A term that is running is ended: its thread is interrupted, and leadership passes on when the work has
     * returned. Closing twice does nothing.
     */
    @Override
    void close();
}
