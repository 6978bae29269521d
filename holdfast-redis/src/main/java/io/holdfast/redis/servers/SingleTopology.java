package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.protocol.RedisUnfitException;
import java.util.Collection;
import java.util.List;

/** One server. */
final class SingleTopology implements Topology {
    private final Node node;

    SingleTopology(Node node) {
        this.node = node;
    }

    @Override
    public Node nodeFor(String key, long untilNanos) {
        return node;
    }

    @Override
    public Node lastNodeFor(String key) {
        return node;
    }

    @Override
    public Collection<Node> nodes(long untilNanos) {
        return known();
    }

    @Override
    public Node nodeAt(RedisAddress address) {
        throw RedisUnfitException.wrong(
                node + " sends us to " + address + ", so it belongs to a cluster; connect with redis-cluster://");
    }

    @Override
    public void doubt() {
        node.doubt();
    }

    @Override
    public boolean isCurrent(Node other) {
        return other == node;
    }

    @Override
    public Collection<Node> known() {
        return List.of(node);
    }
}
