/**
 * What a store must be able to do to carry Holdfast: {@link io.holdfast.spi.LockBackend}, six calls, none of which
 * waits for a lock.
 *
 * <p>Values and interfaces, and what several backends need; may use {@code io.holdfast}, never
 * {@code io.holdfast.engine}. Waiting, renewing, retrying, re-entry and events are the engine's work and exist once; a
 * backend turns one question into one trip.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
