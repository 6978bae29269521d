package io.holdfast.testing;

/**
 * Decides what goes wrong. {@link FaultScript} is one that a test writes line by line; a simulation rolls dice from a
 * seed.
 *
 * <p><b>Threads.</b> Asked by every thread that calls the backend, before the call is made.
 *
 * <p><b>Implementing.</b> For tests, as a lambda: it will never have a second abstract method.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Faults {

    /**
     * Decides about one call.
     *
     * @param call what is about to happen
     * @return what goes wrong with it
     */
    Fault next(Call call);

    /**
     * Returns the strategy under which nothing goes wrong.
     *
     * @return always {@link Fault.None}
     */
    static Faults none() {
        return call -> new Fault.None();
    }
}
