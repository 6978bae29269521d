package io.holdfast.simulation;

/**
 * Unwinds the stack of a process that was killed inside a call. An error, so that the engine does not take it for an
 * answer.
 */
final class ProcessKilledError extends Error {
    private static final long serialVersionUID = 1L;

    private final String processName;

    ProcessKilledError(String processName) {
        super(processName + " was killed", null, false, false);
        this.processName = processName;
    }

    String processName() {
        return processName;
    }
}
