/**
 * Holdfast in an application of Spring Boot: a client on the store that the application has, and what is seen from
 * outside. {@link io.holdfast.spring.boot.HoldfastProperties} is the list of properties.
 */
@NullMarked
package io.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
