/**
 * The contract kit: what every backend must keep, as tests to extend.
 *
 * <p>A backend extends {@link io.holdfast.tck.BackendContract} with one short class and gives it a
 * {@link io.holdfast.tck.BackendFixture}. What breaks things on purpose is in {@code holdfast-testing}. May use all of
 * that and of {@code holdfast-core}, and knows no store.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
