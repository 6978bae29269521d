package io.holdfast.engine;

/**
 * How many threads of this client get the lock in a row before the store is asked again. Guarded by the gate's mutex.
 *
 * <p>More if somebody here had to wait for the next hold, fewer if the turns were not used. A long line here gets fewer turns in a row, because
 * others wait elsewhere; but a hold that hardly outlasts its way back to the store helps nobody. Never more than the microseconds that the
 * last hold took: a store may make tokens of its clock, and they must not run ahead of it.
 */
final class Cohort {

    /** As long as nothing says otherwise. */
    static final int USUAL = 16;

    /** At most, if hardly anybody waits. */
    static final int MOST = 256;

    /** At most, however many wait, if the hold was worth its trips. */
    static final int LONG_LINE = 32;

    /** A hold is worth its trips if it lasts so many times as long as one. */
    private static final int WORTH_TRIPS = 8;

    /** For each that waits; those elsewhere wait with them. */
    private static final int FEWER = 4;

    private static final long NANOS_PER_MICRO = 1_000;

    private int size = USUAL;
    private long tripNanos;

    int size() {
        return size;
    }

    /** A hold goes back to the store, while so many wait here. */
    void learnFrom(StoreGrant hold, int waiting) {
        if (waiting > 0 && hold.tokensLeft() == 0) {
            boolean worthIt = hold.ageNanos() >= WORTH_TRIPS * tripNanos;
            size = Math.min(2 * size, worthIt ? Math.max(LONG_LINE, MOST - FEWER * waiting) : MOST);
        } else if (hold.tokensLeft() > hold.claim().tokens() / 2) {
            size = size / 2;
        }
        size = (int) Math.max(USUAL, Math.min(size, hold.ageNanos() / NANOS_PER_MICRO));
    }

    /** So long it took to give the hold back. */
    void wentBackIn(long nanos) {
        tripNanos = nanos;
    }
}
