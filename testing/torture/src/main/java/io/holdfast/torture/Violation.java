package io.holdfast.torture;

/**
 * A rule that was broken.
 *
 * @param rule which one
 * @param atNanos when it showed
 * @param text what was seen
 */
record Violation(Rule rule, long atNanos, String text) {}
