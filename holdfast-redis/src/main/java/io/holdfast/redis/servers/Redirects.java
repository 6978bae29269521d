package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.Slots;
import io.holdfast.redis.settings.RedisSettings;
import org.jspecify.annotations.Nullable;

/** What a reply says about where to go instead, and what it makes doubtful. */
final class Redirects {
    private final Topology topology;
    private final RedisSettings settings;

    Redirects(Topology topology, RedisSettings settings) {
        this.topology = topology;
        this.settings = settings;
    }

    /** Where to repeat a call that had no effect: on another server, or null to look up the server again. */
    @Nullable
    Node next(Node node, String key, RedisReplyException refused, long untilNanos) {
        switch (refused.error()) {
            case NOSCRIPT -> node.doubt();
            case MOVED -> {
                topology.moved(Slots.of(key), target(node, refused.reply()));
                lookAtLoser(node, key, untilNanos);
            }
            case ASK -> {
                return topology.nodeAt(target(node, refused.reply()));
            }
            case READONLY, CLUSTERDOWN, MASTERDOWN -> {
                topology.doubt();
                node.doubt();
                node.connections().reset();
                throw refused;
            }
            default -> throw refused;
        }
        return null;
    }

    /**
     * A guarded shard that lost a slot must not answer for it when it comes back: the one that had it meanwhile may
     * have forgotten what was held. A look takes the slot from the shard's mark.
     */
    private void lookAtLoser(Node node, String key, long untilNanos) {
        Session met = node.current();
        if (!settings.isStrict() || met == null || !met.tenure().covers(key)) {
            return;
        }
        node.doubt();
        try {
            node.session(untilNanos);
        } catch (RuntimeException later) {
            // the doubt stays: it is looked at before its next call
        }
    }

    private static RedisAddress target(Node node, String reply) {
        String address = reply.substring(reply.lastIndexOf(' ') + 1);
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        return new RedisAddress(
                host.isEmpty() ? node.address().host() : host, Integer.parseInt(address.substring(colon + 1)));
    }
}
