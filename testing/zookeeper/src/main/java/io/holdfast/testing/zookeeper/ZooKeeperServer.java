package io.holdfast.testing.zookeeper;

/** A ZooKeeper server. */
final class ZooKeeperServer {
    private ZooKeeperServer() {}
}
