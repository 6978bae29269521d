/**
 * A real Redis where there is none: {@link io.holdfast.cli.embedded.EmbeddedRedis} belongs to one process and ends with
 * it, {@link io.holdfast.cli.embedded.SharedRedis} is the one that all commands of a user share, and
 * {@link io.holdfast.cli.embedded.Keeper} ends it when nobody needs it any more. Both listen on loopback only and want
 * a password that only this user can read.
 */
@NullMarked
package io.holdfast.cli.embedded;

import org.jspecify.annotations.NullMarked;
