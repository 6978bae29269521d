package io.holdfast.testing;

/**
 * What a caller of {@link FaultyBackend} gets instead of a reply. It says as little about the outcome as a real one
 * does.
 *
 * @since 0.1
 */
public final class InjectedFaultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was done to which call
     */
    public InjectedFaultException(String message) {
        super(message);
    }
}
