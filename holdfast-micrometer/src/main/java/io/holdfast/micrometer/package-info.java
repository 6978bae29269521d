/**
 * Meters and observations of locks for Micrometer. {@link io.holdfast.micrometer.LockMeters} listens to a client. No
 * name of a lock ever becomes the value of a tag: names are put into groups, and there are at most as many groups as
 * the application says. {@link io.holdfast.micrometer.LockObservationConvention} says how observed calls are named.
 */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
