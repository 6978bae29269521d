package io.holdfast.torture;

/**
 * A stretch of time.
 *
 * @param startNanos its first instant
 * @param endNanos the first one after it
 */
record Period(long startNanos, long endNanos) {
    boolean has(long nanos) {
        return startNanos <= nanos && nanos < endNanos;
    }

    long nanos() {
        return endNanos - startNanos;
    }
}
