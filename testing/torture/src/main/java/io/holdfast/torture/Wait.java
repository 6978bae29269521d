package io.holdfast.torture;

/**
 * One thread that waited.
 *
 * @param subject for what
 * @param worker in which process
 * @param startNanos from when on
 * @param endNanos until it was served, gave up or was killed
 */
record Wait(Subject subject, String worker, long startNanos, long endNanos) {}
