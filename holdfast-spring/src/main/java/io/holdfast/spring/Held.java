package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of a {@link Locked} method that gets the lease: an {@link io.holdfast.Lease} where one name is
 * locked, a {@code List} of leases where several may be. Callers pass null. Whoever calls past the proxy leaves it
 * null, and the method sees that nothing is locked.
 *
 * <pre>{@code
 * @Locked("order:{id}")
 * public void ship(String id, @Held Lease lease) {
 *     carrier.ship(id, lease.token());
 * }
 * }</pre>
 *
 * @since 0.1
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Held {}
