/**
 * What the commands need of the system: {@link io.holdfast.cli.process.Job} is a command with its descendants,
 * {@link io.holdfast.cli.process.Guardian} ends it when this process no longer can,
 * {@link io.holdfast.cli.process.Signals} and {@link io.holdfast.cli.process.ProcessTable} ask the system,
 * {@link io.holdfast.cli.process.Ending} tells whether this process is ending. Knows nothing of locks.
 */
@NullMarked
package io.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
