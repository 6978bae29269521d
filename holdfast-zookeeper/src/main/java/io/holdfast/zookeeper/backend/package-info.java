/**
 * The store of the engine, on ZooKeeper. {@code ZooKeeperBackend} puts the parts together: {@code Sessions} has the
 * connection, {@code HeldClaims} knows what this client asked for, {@code Waiters} tells those who are served,
 * {@code Maintenance} ends what nobody renewed. Internal: may change in any release.
 *
 * <p>May use {@code io.holdfast.zookeeper.line}.
 */
@NullMarked
package io.holdfast.zookeeper.backend;

import org.jspecify.annotations.NullMarked;
