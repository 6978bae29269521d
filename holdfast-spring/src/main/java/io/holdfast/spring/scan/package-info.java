/** Finds what is annotated. For this module alone. */
@NullMarked
package io.holdfast.spring.scan;

import org.jspecify.annotations.NullMarked;
