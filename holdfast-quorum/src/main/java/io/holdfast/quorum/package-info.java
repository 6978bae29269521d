/**
 * Locks that a majority of independent stores agrees on: Redlock, with tokens that only grow.
 *
 * <p>{@link io.holdfast.quorum.QuorumLocks} opens clients. Behind it, from the top: {@code QuorumBackend} is one store
 * to the engine; {@code Voting} asks for a claim, {@code Ballot} counts what the members said, {@code Renewals} and
 * {@code QuorumInspector} do the same for holding and looking; {@code QuorumClaim} is one claim with what it has on
 * each {@code Member}; {@code Maintenance} looks after members that are down and the releases they have missed.
 * {@code docs/quorum.md} says what is guaranteed and why; {@code docs/spec} proves it for small cases.
 *
 * <p>May use {@code io.holdfast}, {@code io.holdfast.spi}; of {@code io.holdfast.engine} and {@code io.holdfast.redis}
 * only the entry points, in {@code QuorumLocks} and {@code QuorumLocksBuilder}.
 */
@NullMarked
package io.holdfast.quorum;

import org.jspecify.annotations.NullMarked;
