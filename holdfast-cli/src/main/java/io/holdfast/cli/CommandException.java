package io.holdfast.cli;

/** A command cannot go on, for a reason that its message says in full. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /** Ends the command with an exit code. */
    public CommandException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** Ends the command with an exit code, because of something else. */
    public CommandException(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    int code() {
        return code;
    }
}
