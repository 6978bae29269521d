package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Which server has which key. */
public interface Topology {

    /** The server that has a key. */
    Node nodeFor(String key, long untilNanos);

    /** The server that had a key when somebody last looked, or null. Does not wait. */
    @Nullable
    Node lastNodeFor(String key);

    /** Names the server that has a key, as far as is known, if there are several. Does not wait. */
    default String partOf(String key) {
        return "";
    }

    /** Every server that has keys. */
    Collection<Node> nodes(long untilNanos);

    /** The server of a redirection. */
    Node nodeAt(RedisAddress address);

    /** A server said that a slot has moved. */
    default void moved(int slot, RedisAddress address) {
        doubt();
    }

    /** Something has changed: look again before the next call. */
    void doubt();

    /** Another server may have taken the place of the one at this address. */
    default void doubt(RedisAddress address) {
        doubt();
    }

    /** Whether a server that was known before is still part of this topology. */
    boolean isCurrent(Node node);

    /** Every server that was ever called. */
    Collection<Node> known();

    /**
     * A hash tag whose slot the server owns, with braces; the same as before if possible. Empty where there are no
     * slots, and for a server that owns none.
     */
    default String tagOf(RedisAddress server, String before, int skip) {
        return "";
    }

    /** Whether one call may name several keys. */
    default boolean takesManyKeys() {
        return true;
    }
}
