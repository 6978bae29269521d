/** Small programs that show how Holdfast is used. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
