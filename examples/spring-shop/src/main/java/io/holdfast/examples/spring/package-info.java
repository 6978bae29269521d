/** A shop on Spring Boot that sells too much, and one that does not. */
@NullMarked
package io.holdfast.examples.spring;

import org.jspecify.annotations.NullMarked;
