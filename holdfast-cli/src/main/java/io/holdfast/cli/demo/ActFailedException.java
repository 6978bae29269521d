package io.holdfast.cli.demo;

/** An act could not be played to its end; the message says why. */
final class ActFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ActFailedException(String message) {
        super(message);
    }
}
