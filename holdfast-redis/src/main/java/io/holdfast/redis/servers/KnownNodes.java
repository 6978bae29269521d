package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** One {@link Node} for each address. */
final class KnownNodes {
    private final ConcurrentMap<RedisAddress, Node> nodes = new ConcurrentHashMap<>();
    private final Function<RedisAddress, Node> make;

    KnownNodes(Function<RedisAddress, Node> make) {
        this.make = make;
    }

    Node at(RedisAddress address) {
        return nodes.computeIfAbsent(address, make);
    }

    Collection<Node> all() {
        return nodes.values();
    }
}
