package io.holdfast.zookeeper.backend;

import java.time.Duration;

/** How long a lease can be, given a session. */
public final class Carried {
    /** The tick of a server for which nothing else is said. */
    static final Duration TICK = Duration.ofSeconds(2);

    private Carried() {}

    /**
     * The leader may have heard of the session last a ping before the request, and may hear of the request itself only
     * with the next tick.
     */
    public static Duration by(Duration session) {
        return session.multipliedBy(2).dividedBy(3).minus(TICK);
    }
}
