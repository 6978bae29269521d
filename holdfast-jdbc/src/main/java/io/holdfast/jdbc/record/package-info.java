/**
 * The rules of one lock as a value: who holds it, who waits, which token comes next, and how that is written as bytes.
 * Knows no clock, no thread and no database.
 */
@NullMarked
package io.holdfast.jdbc.record;

import org.jspecify.annotations.NullMarked;
