/**
 * Locks for ShedLock: {@link io.holdfast.spring.shedlock.HoldfastLockProvider}. Needs {@code shedlock-core} 7, which
 * this module does not bring.
 */
@NullMarked
package io.holdfast.spring.shedlock;

import org.jspecify.annotations.NullMarked;
