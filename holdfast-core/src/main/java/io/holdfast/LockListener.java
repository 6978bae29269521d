package io.holdfast;

/**
 * Is told what happens to the locks of one client: for metrics, logs and tests.
 *
 * <p><b>Threads.</b> {@link LockEvent.Acquired}, {@link LockEvent.GaveUp}, {@link LockEvent.Failed}, {@link
 * LockEvent.Contended}, {@link LockEvent.Obstructed} and {@link LockEvent.Released} come on the thread that acquires or
 * releases, or does so for a future. The others come on a
 * thread of the client, where a slow listener delays renewals. A listener must be quick and must not take locks of the
 * same client.
 *
 * <p><b>Failures.</b> An exception from a listener is logged once for that listener and disturbs nothing else.
 *
 * <p><b>Implementing.</b> For users: this interface will not get another abstract method.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockListener {

    /**
     * Receives one event. An event of a type that the listener does not know is to be ignored: later versions add some.
     *
     * @param event what happened
     */
    void on(LockEvent event);
}
