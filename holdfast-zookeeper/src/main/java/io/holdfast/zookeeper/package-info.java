/**
 * Locks on ZooKeeper. Begin with {@link io.holdfast.zookeeper.ZooKeeperLocks}.
 *
 * <p>May use everything below it.
 */
@NullMarked
package io.holdfast.zookeeper;

import org.jspecify.annotations.NullMarked;
