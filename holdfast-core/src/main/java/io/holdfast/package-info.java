/**
 * What a user of Holdfast meets: clients, locks, leases, options, events and exceptions.
 *
 * <p>Interfaces and values only. Nothing here knows how a lock is taken; that is {@code io.holdfast.engine}, and
 * nothing here touches a store; that is {@code io.holdfast.spi} and the backends behind it.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
