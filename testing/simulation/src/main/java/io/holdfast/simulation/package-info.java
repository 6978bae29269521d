/** Runs the engine against simulated time, faults and crashes. */
@NullMarked
package io.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
