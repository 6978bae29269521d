/**
 * What Spring Boot 3.5 calls differently from Boot 4: where Redis is, and health. Everything else is
 * {@link io.holdfast.spring.boot}, which is the same for both.
 */
@NullMarked
package io.holdfast.spring.boot3;

import org.jspecify.annotations.NullMarked;
