/** A program that uses the published modules from the module path, as a user would. */
@NullMarked
package io.holdfast.testing.modules;

import org.jspecify.annotations.NullMarked;
