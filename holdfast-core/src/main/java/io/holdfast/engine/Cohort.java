package io.holdfast.engine;

/**
 * How many threads of this client get the lock in a row before the store is asked again. Guarded by the gate's mutex.
 *
 * <p>More if callers here had to wait for the next grant, fewer if turns were left over. A long line here gets fewer
 * turns in a row, because others wait elsewhere. But a grant that hardly outlasts its way back to the store is a waste.
 * Never more turns than the last grant lasted microseconds: a store may make tokens of its clock, and they must not run
 * ahead of it.
 */
final class Cohort {

    /** How many leases a grant serves as long as nothing says otherwise. */
    static final int USUAL = 16;

    /** The most leases of one grant while the line is short. */
    static final int MOST = 256;

    /** The most leases of one grant in a long line, if the grant was worth its trips. */
    static final int LONG_LINE = 32;

    /** A grant is worth its trips if it lasts so many times as long as one trip. */
    private static final int WORTH_TRIPS = 8;

    /** How many turns fewer for each waiter here, because others wait elsewhere. */
    private static final int FEWER = 4;

    private static final long NANOS_PER_MICRO = 1_000;

    private int size = USUAL;
    private long tripNanos;

    int size() {
        return size;
    }

    /** Learns from a grant that goes back to the store while so many wait here. */
    void learnFrom(StoreGrant grant, int waiting) {
        if (waiting > 0 && grant.tokensLeft() == 0) {
            boolean worthIt = grant.ageNanos() >= WORTH_TRIPS * tripNanos;
            size = Math.min(2 * size, worthIt ? Math.max(LONG_LINE, MOST - FEWER * waiting) : MOST);
        } else if (grant.tokensLeft() > grant.claim().tokens() / 2) {
            size = size / 2;
        }
        size = (int) Math.max(USUAL, Math.min(size, grant.ageNanos() / NANOS_PER_MICRO));
    }

    /** The last release took so long. */
    void wentBackIn(long nanos) {
        tripNanos = nanos;
    }
}
