/**
 * Locks in tables of PostgreSQL, MySQL, MariaDB and H2. Begin with {@link io.holdfast.jdbc.JdbcLocks}.
 *
 * <p>May use everything below it.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
