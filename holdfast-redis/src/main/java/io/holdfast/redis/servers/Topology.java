package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import java.util.Collection;

/** Which server has which key. */
public interface Topology {

    /** The server that has a key. */
    Node nodeFor(String key, long untilNanos);

    /** Names the server that has a key, by what is known, where there are several; at once. */
    default String partOf(String key) {
        return "";
    }

    /** Every server that has keys. */
    Collection<Node> nodes(long untilNanos);

    /** The server that another one sent us to. */
    Node nodeAt(RedisAddress address);

    /** A server said that a slot has moved. */
    default void moved(int slot, RedisAddress address) {
        doubt();
    }

    /** Something does not fit any more: look again before the next call. */
    void doubt();

    /** The server at this address may not be the one that is meant. */
    default void doubt(RedisAddress address) {
        doubt();
    }

    /** Whether a server counts that was known once. */
    boolean isCurrent(Node node);

    /** Every server that was ever talked to. */
    Collection<Node> known();

    /**
     * A hash tag whose slot the server owns, with braces; the same as before if possible. Empty where there are no slots, and for a server that owns
     * none.
     */
    default String tagOf(RedisAddress server, String before, int skip) {
        return "";
    }

    /** Whether one call may name several keys. */
    default boolean takesManyKeys() {
        return true;
    }
}
