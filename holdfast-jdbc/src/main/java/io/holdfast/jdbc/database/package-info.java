/**
 * The database: its dialect, our statements, connections that are kept, and rows read and written. Each statement
 * commits by itself.
 *
 * <p>May use {@code io.holdfast.jdbc.record}.
 */
@NullMarked
package io.holdfast.jdbc.database;

import org.jspecify.annotations.NullMarked;
