/**
 * Real databases for tests, on this machine and without containers:
 * {@link io.holdfast.testing.databases.PostgresServer}, {@link io.holdfast.testing.databases.MariaDbServer} and
 * {@link io.holdfast.testing.databases.H2Database}.
 *
 * <p>The servers are programs from the class path, brought to the disk once per machine. They need Linux and the
 * libraries that every Debian has (libc, libstdc++, libcrypt, libsystemd), listen on the loopback address only, keep
 * their data in a temporary folder, and end with the JVM, however that ends. They run as any user; PostgreSQL, which
 * refuses to run as root, is then started as nobody with {@code setpriv}.
 *
 * <p>What the class path cannot have comes from packages of Debian and Ubuntu, for the profile "full" only:
 * {@link io.holdfast.testing.databases.MySqlServer}, {@link io.holdfast.testing.databases.PgBouncer}, and the oldest
 * versions that are promised.
 *
 * <p>Nothing here knows Holdfast.
 */
@NullMarked
package io.holdfast.testing.databases;

import org.jspecify.annotations.NullMarked;
