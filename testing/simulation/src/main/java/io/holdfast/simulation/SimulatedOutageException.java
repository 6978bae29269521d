package io.holdfast.simulation;

/** What a caller gets when no answer came. Without a stack trace: there are too many of them. */
final class SimulatedOutageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulatedOutageException(String what) {
        super(what, null, false, false);
    }
}
