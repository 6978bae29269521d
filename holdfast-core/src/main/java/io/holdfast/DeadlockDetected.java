package io.holdfast;

/**
 * Callers of this client wait for each other, or for callers of other clients that wait for them: none of them can go
 * on by itself. Once per deadlock and client. {@link #name()} is what one of this client's callers in it waits for.
 *
 * <p><b>Implementing.</b> Not for users: new methods may come with any version.
 *
 * @since 0.1
 */
public interface DeadlockDetected extends LockEvent {

    /**
     * Returns who waits for whom.
     *
     * @return the deadlock
     */
    Deadlock deadlock();

    /**
     * Makes the event, for the engine and for tests of listeners.
     *
     * @param kind what the name is used as
     * @param name which lock a caller of this client waits for
     * @param deadlock who waits for whom
     * @return the event
     */
    static DeadlockDetected of(LockKind kind, String name, Deadlock deadlock) {
        return new EventValues.Deadlocked(kind, name, deadlock);
    }
}
