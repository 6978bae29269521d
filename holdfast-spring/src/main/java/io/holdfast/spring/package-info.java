/**
 * Locks by annotation: {@link io.holdfast.spring.Locked}, and by hand under the same rules:
 * {@link io.holdfast.spring.LockOperations}. {@link io.holdfast.spring.EnableLocks} switches them on.
 *
 * <p>Sees the API of Holdfast and Spring, nothing of a store. Transactions, Reactor and fences are used when their
 * classes are there.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
