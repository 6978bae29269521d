package io.holdfast.torture;

/**
 * A fault as it was done, before anybody recovered from it.
 *
 * @param fault which one
 * @param detail what exactly was done
 * @param startNanos when it began
 * @param healedNanos when it was taken back
 * @param documented whether exclusion may break, as the documentation says
 */
record Blow(Fault fault, String detail, long startNanos, long healedNanos, boolean documented) {}
