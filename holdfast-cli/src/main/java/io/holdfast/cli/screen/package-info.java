/**
 * What a person sees: results and remarks, tables, lines that redraw themselves, and JSON for programs. Knows nothing
 * of locks.
 */
@NullMarked
package io.holdfast.cli.screen;

import org.jspecify.annotations.NullMarked;
