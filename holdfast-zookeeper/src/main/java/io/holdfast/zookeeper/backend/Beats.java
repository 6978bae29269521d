package io.holdfast.zookeeper.backend;

import java.time.Duration;

/**
 * What the beats of one session have shown, and until when it is certain to last: see {@link Carried}.
 *
 * <p><b>Threads.</b> One beat is under way at a time, so one thread writes; any number may ask.
 */
final class Beats {
    private final long certainNanos;
    private final long gapNanos;
    private volatile Proof proof;

    /**
     * What is known.
     *
     * @param beforeLastNanos when the beat before the last was sent
     * @param lastNanos when the last was sent
     * @param answeredNanos when that was answered
     * @param untilNanos until when the session is certain to last
     */
    private record Proof(long beforeLastNanos, long lastNanos, long answeredNanos, long untilNanos) {}

    /** Of a session that was asked for at an instant, and is open at another. */
    Beats(Duration session, Duration tick, long beganNanos, long nowNanos) {
        this.certainNanos = Carried.certain(session).toNanos();
        this.gapNanos = Carried.gap(session, tick).toNanos();
        this.proof = new Proof(beganNanos, beganNanos, nowNanos, beganNanos + certainNanos);
    }

    /** Whether it is time for the next one. */
    boolean isDue(long nowNanos) {
        return nowNanos - proof.answeredNanos >= gapNanos;
    }

    /** A beat was sent at an instant, and is answered at another. */
    void answered(long sentNanos, long nowNanos) {
        Proof before = proof;
        proof = new Proof(before.lastNanos, sentNanos, nowNanos, before.beforeLastNanos + certainNanos);
    }

    /** As much of a lease that begins at an instant as the session is certain to last for; negative if it is not. */
    Duration left(Duration lease, long startNanos) {
        Duration covered = Duration.ofNanos(proof.untilNanos - startNanos);
        return covered.compareTo(lease) < 0 ? covered : lease;
    }
}
