/**
 * The store of the engine, on a database. {@code JdbcBackend} puts the parts together: {@code Database} has the
 * connections, {@code Waiters} tells those who were served, {@code RenewalBatch} renews many, {@code Guard} notices a
 * database that may have forgotten. Internal: may change in any release.
 *
 * <p>May use {@code io.holdfast.jdbc.database} and {@code io.holdfast.jdbc.record}.
 */
@NullMarked
package io.holdfast.jdbc.backend;

import org.jspecify.annotations.NullMarked;
