/**
 * Examines the servers behind a URL and reports everything that is wrong, by the same rules as a handshake. Internal:
 * may change in any release.
 *
 * <p>May use {@code io.holdfast.redis.protocol} and what is below it.
 */
@NullMarked
package io.holdfast.redis.doctor;

import org.jspecify.annotations.NullMarked;
