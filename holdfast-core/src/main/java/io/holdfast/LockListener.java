package io.holdfast;

/**
 * Hears what happens to the locks of one client: for metrics, logs and tests.
 *
 * <p><b>Threads.</b> {@link LockEvent.Acquired}, {@link LockEvent.Contended}, {@link LockEvent.Obstructed} and {@link LockEvent.Released} come on the
 * thread that acquires or releases, or does so for a future; the others on a thread of the client, where a slow one keeps renewals waiting. A listener must be quick and must not take locks of the same client.
 *
 * <p><b>Failures.</b> An exception from a listener is logged once for that listener and disturbs nothing else.
 */
@FunctionalInterface
public interface LockListener {

    /**
     * Receives one event.
     *
     * @param event what happened
     */
    void on(LockEvent event);
}
