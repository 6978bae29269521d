/** The shop of the flash sale: plain JDBC, and nothing of Holdfast but the fence. */
@NullMarked
package io.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
