/**
 * The contract kit: what every backend must keep, as tests to extend, and what one needs to break things on purpose.
 *
 * <p>A backend extends {@link io.holdfast.tck.BackendContract} with one short class and gives it a
 * {@link io.holdfast.tck.BackendFixture}. {@link io.holdfast.tck.FaultyBackend}, {@link io.holdfast.tck.ManualTime} and
 * {@link io.holdfast.tck.ManualRuntime} are for tests and simulations beyond the kit. May use all of
 * {@code holdfast-core} and knows no store.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
