/**
 * Other JVMs and other programs, for tests and tools that need whole processes: to stop, to kill, to limit and to
 * measure; and the folders that they leave. Nothing here knows Holdfast.
 */
@NullMarked
package io.holdfast.testing.process;

import org.jspecify.annotations.NullMarked;
