/**
 * What is written for users, taken at its word: every code block of a page is compiled and run, every link is followed,
 * every quoted message is looked up in the sources. {@link io.holdfast.docs.Blocks} takes a page apart;
 * {@link io.holdfast.docs.JavaBlocks} and {@link io.holdfast.docs.ShellBlocks} run what they get on the servers of a
 * {@link io.holdfast.docs.Stage}.
 */
@NullMarked
package io.holdfast.docs;

import org.jspecify.annotations.NullMarked;
