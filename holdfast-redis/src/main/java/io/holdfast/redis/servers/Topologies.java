package io.holdfast.redis.servers;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import java.util.concurrent.ThreadFactory;

/** Makes the topology of a URL, with everything that its servers need. */
public final class Topologies {

    /** Receives messages of the servers, and doubts about them. */
    public interface Listener {
        /** A server published a message for this client. */
        void heard(Node node, byte[] message, long receivedNanos);

        /** Messages may have been missed. */
        void missed();

        /** Another server may have taken the place of the one at this address. */
        void doubtTopology(RedisAddress address);

        /** Whether anybody may still wait on a server. */
        boolean isUsed(Node node);
    }

    private final RedisUrl url;
    private final RedisDriver servers;
    private final RedisDriver sentinels;
    private final int connections;

    /**
     * Keeps what is needed to reach the servers.
     *
     * @param servers how to reach the servers
     * @param sentinels how to reach Sentinels, if the URL names any
     * @param connections how many callers may use a connection to a server at once
     */
    public Topologies(RedisUrl url, RedisDriver servers, RedisDriver sentinels, int connections) {
        this.url = url;
        this.servers = servers;
        this.sentinels = sentinels;
        this.connections = connections;
    }

    public RedisUrl.Mode mode() {
        return url.mode();
    }

    public Topology make(Handshake handshake, RedisSettings settings, Listener listener) {
        KnownNodes nodes = new KnownNodes(address -> new Node(
                address,
                handshake,
                new Connections(servers, address, settings.time()),
                connections,
                node -> subscription(node, settings, listener),
                () -> listener.doubtTopology(address)));
        return switch (url.mode()) {
            case SINGLE -> new SingleTopology(nodes.at(url.addresses().get(0)));
            case CLUSTER -> new ClusterTopology(servers, url.addresses(), nodes, settings.time());
            case SENTINEL -> new SentinelTopology(sentinels, url.addresses(), url.masterName(), nodes, settings.time());
        };
    }

    private NodeSubscription subscription(Node node, RedisSettings settings, Listener listener) {
        NodeSubscription.Hearer hearer = new NodeSubscription.Hearer() {
            @Override
            public void heard(byte[] message, long receivedNanos) {
                listener.heard(node, message, receivedNanos);
            }

            @Override
            public void missed() {
                listener.missed();
            }

            @Override
            public void doubtTopology() {
                listener.doubtTopology(node.address());
            }

            @Override
            public boolean isUsed() {
                return listener.isUsed(node);
            }
        };
        ThreadFactory threads = task -> {
            Thread thread = new Thread(task, "holdfast-redis-subscription-" + node.address());
            thread.setDaemon(true);
            return thread;
        };
        return new NodeSubscription(node, servers, hearer, threads, settings.time());
    }

    public void close() {
        servers.close();
        sentinels.close();
    }
}
