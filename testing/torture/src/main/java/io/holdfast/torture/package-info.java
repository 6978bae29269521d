/**
 * Real clients in processes of their own, on real Redis servers, while a nemesis breaks both; and the checkers that say
 * whether what was promised held all the same.
 *
 * <p>{@link io.holdfast.torture.Torture} is the command line. It splits its time into
 * {@link io.holdfast.torture.Round}s. A round starts a {@link io.holdfast.torture.Site} (the servers), a
 * {@link io.holdfast.torture.Crew} (the {@link io.holdfast.torture.Worker} processes) and a
 * {@link io.holdfast.torture.Nemesis}. Workers write what they see into append-only files, which survive them;
 * {@link io.holdfast.torture.History} reads these, and the checkers judge it.
 *
 * <p>All processes are on one machine, so {@link System#nanoTime} is one clock for all of them.
 */
@NullMarked
package io.holdfast.torture;

import org.jspecify.annotations.NullMarked;
