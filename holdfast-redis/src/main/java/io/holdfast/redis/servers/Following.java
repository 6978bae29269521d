package io.holdfast.redis.servers;

import io.holdfast.redis.settings.RedisSettings;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * When a master was last known to be followed by its replicas, so that no other one had taken over. A master that was cut off notices that by
 * itself only while it runs: one that stood still goes on for a moment when it wakes up, however late that is. So what it gives counts only if it came
 * soon after such a proof.
 *
 * <p><b>States.</b> Nothing is asked for where no replicas are wanted. Else it is proven or not; a proof ends by getting old.
 */
public final class Following {
    /** Less than a master that was replaced may go on for. */
    private static final long COUNTS_NANOS =
            RedisSettings.CUT_OFF.minus(Duration.ofSeconds(1)).toNanos();

    /** When somebody who uses the server should prove it anew: so early that callers need not. */
    private static final long DUE_NANOS = COUNTS_NANOS / 3;

    /** One asks, the others wait for it. */
    final ReentrantLock asking = new ReentrantLock();

    private volatile long wanted;
    private volatile long provenNanos;
    private volatile boolean proven;
    private volatile boolean used;

    /** How many replicas have to follow: with it they are more than half of all, so that another one has fewer. Zero if none have to. */
    long wanted() {
        return wanted;
    }

    void want(long replicas) {
        wanted = replicas;
    }

    /** So many replicas have what was written after an instant. */
    void followed(long replicas, long beforeWriteNanos) {
        if (wanted > 0 && replicas >= wanted && (!proven || beforeWriteNanos - provenNanos > 0)) {
            provenNanos = beforeWriteNanos;
            proven = true;
            used = false;
        }
    }

    /** Whether what came from the server by now counts. */
    public boolean counts(long nowNanos) {
        return wanted == 0 || (proven && nowNanos - provenNanos < COUNTS_NANOS);
    }

    /** Somebody needs it. */
    public void use() {
        if (!used) {
            used = true;
        }
    }

    /** Whether it is needed, and should be proven anew. */
    boolean isDue(long nowNanos) {
        return wanted > 0 && used && (!proven || nowNanos - provenNanos > DUE_NANOS);
    }
}
