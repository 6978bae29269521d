/**
 * Who holds, as a function of children in their order. Knows no clock, no thread and no store: whatever keeps children
 * in the order in which they came can use it.
 */
@NullMarked
package io.holdfast.zookeeper.line;

import org.jspecify.annotations.NullMarked;
