package io.holdfast.spi;

/**
 * The two clocks of this process. All time is asked for here, so that tests can set it.
 *
 * <p><b>Implementing.</b> For tests. A method that is added later has a default.
 *
 * @since 0.1
 */
public interface TimeSource {

    /**
     * Returns the monotonic clock, which never steps but may stand still while the machine sleeps.
     *
     * @return nanoseconds since some instant; only differences mean anything
     */
    long nanoTime();

    /**
     * Returns the wall clock, which may step but goes on while the machine sleeps.
     *
     * @return milliseconds since 1970
     */
    long wallMillis();

    /**
     * Returns the clocks of the machine.
     *
     * @return the real ones
     */
    static TimeSource system() {
        return SystemTimeSource.INSTANCE;
    }
}
