package io.holdfast.cli.screen;

/** Nobody reads the results any more, as behind {@code | head -1}: the command ends, and there is nothing to say. */
public final class ReaderGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReaderGoneException() {
        super("nobody reads the output any more");
    }
}
