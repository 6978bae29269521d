/**
 * Real ZooKeeper servers for tests, alone ({@link io.holdfast.testing.zookeeper.ZooKeeperServer}) and as an ensemble of
 * three ({@link io.holdfast.testing.zookeeper.ZooKeeperEnsemble}).
 *
 * <p>Each is a JVM of its own with a small heap, on the class path of the tests. They listen on the loopback address
 * only, keep their data in a temporary folder, and end with this JVM, however that ends.
 *
 * <p>Nothing here knows Holdfast.
 */
@NullMarked
package io.holdfast.testing.zookeeper;

import org.jspecify.annotations.NullMarked;
