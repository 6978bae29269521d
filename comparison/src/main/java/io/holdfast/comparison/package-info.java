/**
 * Holdfast and the libraries that users would pick instead, on the same work in one run: {@code bin/bench}.
 *
 * <p>{@link io.holdfast.comparison.Bench} starts a store and worker JVMs for each library and lets the libraries take
 * turns; a {@link io.holdfast.comparison.Worker} does the work and measures itself.
 */
@NullMarked
package io.holdfast.comparison;

import org.jspecify.annotations.NullMarked;
