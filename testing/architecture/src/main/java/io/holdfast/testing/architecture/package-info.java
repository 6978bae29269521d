/** Rules about the classes of a module. Uses ArchUnit, and knows no module. */
@NullMarked
package io.holdfast.testing.architecture;

import org.jspecify.annotations.NullMarked;
