package io.holdfast.simulation;

/**
 * What becomes of one request, decided when it is sent. Times are true ones, counted from there.
 *
 * @param arrivesAfter when the store executes it, or {@link #NEVER}
 * @param repliesAfter how much later the answer is back, or {@link #NEVER}
 * @param againAfter when the store executes it once more, or {@link #NEVER}
 * @param failsAfter when the caller gets an exception if no answer is back by then
 * @param refused whether the store says that it grants nothing now, instead of executing it
 */
record Fate(long arrivesAfter, long repliesAfter, long againAfter, long failsAfter, boolean refused) {
    static final long NEVER = -1;

    boolean isAnswered() {
        return arrivesAfter != NEVER && repliesAfter != NEVER && answeredAfter() <= failsAfter;
    }

    long answeredAfter() {
        return arrivesAfter + repliesAfter;
    }
}
