/**
 * Tests of applications with locks: {@link io.holdfast.spring.boot.test.AutoConfigureHoldfast} puts a store in memory
 * in the place of the real one, {@link io.holdfast.spring.boot.test.HoldfastTester} is the rest of the fleet.
 */
@NullMarked
package io.holdfast.spring.boot.test;

import org.jspecify.annotations.NullMarked;
