package io.holdfast.simulation;

/** A rule that a run broke, and when. */
record Violation(Rule rule, long atNanos, String what) {

    @Override
    public String toString() {
        return rule + " at " + Trace.seconds(atNanos) + " s: " + what;
    }
}
