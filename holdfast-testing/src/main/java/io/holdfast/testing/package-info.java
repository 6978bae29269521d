/**
 * What one needs to break a store on purpose, and to move time by hand, in tests of one's own.
 *
 * <p>{@link io.holdfast.testing.FaultyBackend} wraps the backend of a store and lets calls fail as a
 * {@link io.holdfast.testing.FaultScript} says. {@link io.holdfast.testing.ManualTime} is a clock that stands still
 * until it is moved, and {@link io.holdfast.testing.ManualRuntime} an engine's runtime without a thread. May use all of
 * {@code holdfast-core}, knows no store and no test framework.
 */
@NullMarked
package io.holdfast.testing;

import org.jspecify.annotations.NullMarked;
