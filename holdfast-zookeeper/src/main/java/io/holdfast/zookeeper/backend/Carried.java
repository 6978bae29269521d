package io.holdfast.zookeeper.backend;

import java.time.Duration;

/**
 * How long a session is certain to last, and so how long a lease can be.
 *
 * <p>The leader of an ensemble ends a session of which it has not heard for as long as it lasts. It hears of a client
 * that is connected to another server by that server's answers to its pings, twice a tick; a request that is passed on
 * to the leader does not count. So one write proves nothing for the future. Two more do, of which each was sent a ping
 * interval after the answer to the one before: then an answer to a ping was read by the leader in between. A client
 * therefore writes regularly, a beat, and when a beat is answered it counts from when the beat before the last was
 * sent.
 */
public final class Carried {
    /** The tick of a server for which nothing else is said. */
    public static final Duration TICK = Duration.ofSeconds(2);

    private static final int BEATS = 12;
    private static final int PERCENT = 100;
    private static final int DRIFT_PERCENT = 1;

    private Carried() {}

    /** How long after the answer to a beat the next one is sent. */
    static Duration gap(Duration session, Duration tick) {
        Duration share = session.dividedBy(BEATS);
        return share.compareTo(tick) < 0 ? tick : share;
    }

    /**
     * The longest lease: two thirds of the session. Just before a beat is answered, three gaps have passed since the
     * one that counts; a twelfth of the session is left for slow answers. In a short session the gaps are longer than a
     * twelfth of it.
     */
    public static Duration by(Duration session, Duration tick) {
        Duration longer = gap(session, tick).minus(session.dividedBy(BEATS));
        return session.multipliedBy(2).dividedBy(3).minus(longer.multipliedBy(3));
    }

    /** What is left of a session when its clock and ours may run at different rates. */
    static Duration certain(Duration session) {
        return session.multipliedBy(PERCENT - DRIFT_PERCENT).dividedBy(PERCENT);
    }
}
