/**
 * The servers as this client sees them. {@code Topology} knows which of them has a key. {@code Node} is one of them,
 * with its {@code Connections}, its {@code Callers}, its {@code NodeSubscription} and the {@code Session} since the
 * last {@code Handshake}. {@code NodeCaller} sends one call to the server that has its key. Knows nothing of claims.
 * Internal: may change in any release.
 *
 * <p>May use {@code io.holdfast.redis.protocol} and what is below it.
 */
@NullMarked
package io.holdfast.redis.servers;

import org.jspecify.annotations.NullMarked;
