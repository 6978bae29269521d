/**
 * {@code holdfast demo}: a flash sale in four acts, for real. {@link io.holdfast.cli.demo.DemoCommand} plays them on a
 * {@code Stage}: a Redis and a database of its own, and several {@link io.holdfast.cli.demo.Worker} processes.
 *
 * <p>The two sides talk by lines: a worker reads an {@code Order} from its standard input and writes a
 * {@code WorkerLine} to its standard output. An act hears those lines in a {@code Scene}, which keeps the
 * {@code Timeline} that the {@code Page} draws.
 */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
