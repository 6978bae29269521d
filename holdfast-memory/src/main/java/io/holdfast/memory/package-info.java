/**
 * Locks in the memory of one process: the default for a user's unit tests, and the reference for what a backend has to
 * do.
 *
 * <p>{@link io.holdfast.memory.MemoryStore} plays the server, {@link io.holdfast.memory.MemoryLocks} makes clients of
 * it. The other classes are one resource ({@code ResourceState}), one connection ({@code MemoryBackend}) and their
 * small parts.
 *
 * <p>May use {@code io.holdfast} and {@code io.holdfast.spi}; of {@code io.holdfast.engine} only the door, in {@code
 * MemoryLocks}. Reads no clock but the {@link io.holdfast.spi.TimeSource} it was given, starts no thread, and never
 * waits but for a lock that is held for the length of one call.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
