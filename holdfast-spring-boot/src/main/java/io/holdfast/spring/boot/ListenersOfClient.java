package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.LockListener;
import java.util.List;

/**
 * Makes listeners that each client has for itself, other than the {@link LockListener} beans, which all clients share.
 */
@FunctionalInterface
interface ListenersOfClient {

    /**
     * Makes them.
     *
     * @param client the client
     * @param bean the name of the client's bean
     * @param alone whether it is the only client of the application
     */
    List<LockListener> listeners(LockClient client, String bean, boolean alone);
}
