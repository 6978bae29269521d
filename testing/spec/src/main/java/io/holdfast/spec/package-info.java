/**
 * The model checker TLC on the specifications in {@code docs/spec}: one {@code Configuration} per {@code .cfg} file,
 * which says in its head what is expected of it; {@code Tlc} runs one in a process of its own, and its {@code Outcome}
 * is compared with what was expected.
 *
 * <p>Uses nothing of Holdfast, and of TLC only its command line.
 */
@NullMarked
package io.holdfast.spec;

import org.jspecify.annotations.NullMarked;
