/**
 * Fences: what refuses a holder whose time is over, where the data is.
 *
 * <p>{@link io.holdfast.fence.JdbcFence} keeps a row in the database of the data, {@link io.holdfast.fence.RedisFence}
 * a record beside the data in Redis. Both accept a greater token than any before, and the same holder again; others get
 * a {@link io.holdfast.fence.StaleTokenException}. The SQL and Lua texts are resources beside these classes.
 *
 * <p>May use {@code io.holdfast} and what the JDK has. No JDBC driver and no Redis client comes along.
 */
@NullMarked
package io.holdfast.fence;

import org.jspecify.annotations.NullMarked;
