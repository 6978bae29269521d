/**
 * How {@code STRICT} survives failovers, as a model that is small enough to visit every state of it: {@code World} is
 * what may happen, {@code Rules} what is decided, {@code Variant} which rules are checked and what is expected of them,
 * {@code Search} visits.
 *
 * <p>Uses nothing of Holdfast. {@code docs/spec/guard.md} says in words what is checked and what is left out.
 */
@NullMarked
package io.holdfast.spec.guard;

import org.jspecify.annotations.NullMarked;
