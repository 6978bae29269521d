/** JMH benchmarks. */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
