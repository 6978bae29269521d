/**
 * The real engine and the real memory store in a simulated world: virtual time, clocks that drift and jump, a network
 * that loses, delays and repeats, a store that stops and forgets, processes that are paused and killed. Everything
 * happens on one thread and comes from one seed, so that every run can be seen again.
 *
 * <p>The way through: {@code Simulation} makes the world ({@code SimWorld}: true time and the queue of events), the
 * store and the clients. A {@code SimClient} is a process ({@code SimProcess}) with an engine on a {@code SimRuntime}
 * and a {@code SimBackend}, and users whose wishes are {@code Operation}s. {@code Network} decides about every request
 * and message, {@code Nemesis} about machines and the store. {@code ResourceLedger}, {@code EventLedger},
 * {@code Orphans} and {@code Finale} check the {@code Rule}s. {@code Sabotage} breaks something on purpose, to show
 * that they can.
 *
 * <p>May use everything of {@code io.holdfast.spi} and the memory backend; of the engine only what is public and
 * {@code io.holdfast.engine.EnginePeek}. No class here reads a real clock or starts a thread, except for the command
 * line.
 */
@NullMarked
package io.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
