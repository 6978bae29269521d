/**
 * The {@code holdfast} command. One class for each command, and what they share: {@link io.holdfast.cli.StoreOptions}
 * finds the store, {@link io.holdfast.cli.screen.Screen} writes, {@link io.holdfast.cli.Failures} says what went wrong
 * in one line. Knows the public API of the modules below it and nothing of how they work.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
