/**
 * Locks for Spring Integration: {@link io.holdfast.spring.integration.HoldfastLockRegistry}. Needs {@code
 * spring-integration-core} 6.5 or newer, which this module does not bring.
 */
@NullMarked
package io.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
