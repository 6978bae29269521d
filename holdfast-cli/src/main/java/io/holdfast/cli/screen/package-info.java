/** What a person sees: results and remarks, tables, lines that draw themselves again, and JSON for those who are no persons. Knows nothing of locks. */
@NullMarked
package io.holdfast.cli.screen;

import org.jspecify.annotations.NullMarked;
