package io.holdfast.spring.boot;

/**
 * The configuration does not say where locks live, or says it twice, or what it says cannot be used. Ends the start of
 * the application, with what to change.
 *
 * @since 0.1
 */
public final class HoldfastStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    HoldfastStartException(String message, String action) {
        super(message);
        this.action = action;
    }

    /**
     * Returns what to change.
     *
     * @return a sentence, with the line to change
     */
    public String action() {
        return action;
    }
}
