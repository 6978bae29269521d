package io.holdfast.redis.backend;

import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.ServerRules;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.Topology;
import io.holdfast.redis.settings.RedisSettings;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;

/**
 * Looks for the servers of a client that was opened although nobody answered. Used by the maintenance thread only. A
 * call that comes first may meet them as well.
 */
final class FirstMeeting {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    private final Topology topology;
    private final RedisSettings settings;
    private String complaint = "";

    FirstMeeting(Topology topology, RedisSettings settings) {
        this.topology = topology;
        this.settings = settings;
    }

    /** One server is enough; a cluster's shard that is down now is asked again when it is needed. */
    static void shakeHands(Collection<Node> nodes, long untilNanos) {
        RuntimeException down = null;
        int fit = 0;
        for (Node node : nodes) {
            try {
                List<ServerRules.Broken> wrong =
                        ServerRules.broken(node.session(untilNanos).skew());
                if (!wrong.isEmpty()) {
                    throw wrong.get(0).on(node, false);
                }
                fit++;
            } catch (RedisLinkException broken) {
                down = broken;
            }
        }
        if (fit == 0 && down != null) {
            throw down;
        }
    }

    /** Whether a server that is fit has answered. */
    boolean isDone(long untilNanos) {
        try {
            Collection<Node> nodes = topology.nodes(untilNanos);
            shakeHands(nodes, untilNanos);
            if (topology.takesManyKeys()) {
                nodes.forEach(node -> node.subscription().open());
            }
            LOG.log(Level.INFO, "Redis answers: " + topology.known());
            return true;
        } catch (RuntimeException failure) {
            complain(ErrorMessages.connecting(settings, failure));
            return false;
        }
    }

    /** Each reason once, and only if waiting may not help. */
    private void complain(LockStoreException why) {
        String said = String.valueOf(why.getMessage());
        if (why instanceof LockStoreUnfitException && !said.equals(complaint)) {
            complaint = said;
            LOG.log(Level.WARNING, said);
        }
    }
}
