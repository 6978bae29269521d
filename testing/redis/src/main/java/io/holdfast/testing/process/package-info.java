/**
 * Other JVMs, for tests and tools that need whole processes: to stop, to kill, and to measure. Needs nothing but the
 * JDK.
 */
@NullMarked
package io.holdfast.testing.process;

import org.jspecify.annotations.NullMarked;
