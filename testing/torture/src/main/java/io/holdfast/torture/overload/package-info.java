/**
 * Many more callers than connections, near and far: how many cycles they make, and whether anything that is held is
 * lost.
 */
@NullMarked
package io.holdfast.torture.overload;

import org.jspecify.annotations.NullMarked;
