package io.holdfast.spec.guard;

/** What is decided about the protocol, as implemented unless a variant changes it. Times are ticks. */
public final class Rules {
    /** Who must show, before a hold goes on at another server, that the old one cannot have handed it on. */
    enum Asked {
        /** Renewals and put backs, by the time left. As implemented. */
        ALL,
        /** Put backs only, by the time left: a renewal that succeeds is believed. */
        PUT_BACKS,
        /** Put backs only, and by how long the lease was when it was confirmed. */
        PUT_BACKS_BY_LENGTH,
        /** Nobody: a server that is shut refuses attempts, and that is all. */
        NOBODY
    }

    /** What a master knows that goes on after it stood still. */
    enum Stop {
        /** It never stands still. */
        NEVER,
        /** How long it has not heard of its replica, before it does anything. */
        COUNTED,
        /** That too, but only after it has executed what was waiting. */
        COUNTED_LATE,
        /** Nothing: what its replica said before is read now, and counts from now. */
        FROZEN
    }

    int clients = 2;

    /** The only lease that is asked for, so also the longest. */
    int lease = 3;

    /** What somebody in the line gets at first. */
    int grant = 1;

    /** How long a request is on its way at most. */
    int delay;

    /** How long a master that nobody follows any more goes on writing. */
    int lag = 2;

    /** What the rule takes for the lag. */
    int margin = 2;

    /** How long a server that took over grants nothing new. */
    int shut = 5;

    /**
     * How old the proof may be, that a server was followed, when something is asked of it; 0 if there is no such rule.
     */
    int proof;

    /** Whether a message, too, is believed only with such a proof. */
    boolean proofOfMessages = true;

    Asked asked = Asked.ALL;
    Stop stop = Stop.NEVER;

    /** How many times the other server takes over. Two are a failover and its return. */
    int failovers = 2;

    /** Whether clients of a demoted server have to shake hands again. */
    boolean cutWhenDemoted = true;

    /** Whether a server that took over is shut although it has the record. */
    boolean shutWithRecord = true;

    /** Whether a release on a server that is shut serves whoever waits there. */
    boolean shutServes;
}
