/**
 * The checked options and URL of a client. Internal: may change in any release.
 *
 * <p>May use {@code io.holdfast}, {@code io.holdfast.spi} and {@code io.holdfast.redis.driver}.
 */
@NullMarked
package io.holdfast.redis.settings;

import org.jspecify.annotations.NullMarked;
