package io.holdfast.redis.servers;

import io.holdfast.redis.settings.RedisSettings;
import java.time.Duration;

/**
 * When a master last proved that its replicas follow it, so that no other one had taken over. A master that is cut off
 * notices that by itself only while it runs: one that was paused goes on for a moment when it wakes up, however late
 * that is. So its grants count only if they come soon after such a proof.
 *
 * <p><b>States.</b> Where no replicas are required, no proof is needed. Elsewhere there is a proof or none; a proof
 * expires.
 */
public final class Following {
    /** Shorter than a replaced master may go on writing. */
    private static final long COUNTS_NANOS =
            RedisSettings.CUT_OFF.minus(Duration.ofSeconds(1)).toNanos();

    /** When to renew a proof in the background: early enough that callers need not wait for it. */
    private static final long DUE_NANOS = COUNTS_NANOS / 3;

    /** One thread asks, the others wait for it. */
    final OneForAll asking = new OneForAll();

    private volatile long wanted;
    private volatile long provenNanos;
    private volatile boolean proven;
    private volatile boolean used;

    /**
     * How many replicas must follow: together with the master, more than half of all servers, so that another master
     * has fewer. Zero if none must.
     */
    long wanted() {
        return wanted;
    }

    void want(long replicas) {
        wanted = replicas;
    }

    /** This many replicas have what was written after an instant. */
    void followed(long replicas, long beforeWriteNanos) {
        if (wanted > 0 && replicas >= wanted && (!proven || beforeWriteNanos - provenNanos > 0)) {
            provenNanos = beforeWriteNanos;
            proven = true;
            used = false;
        }
    }

    /** Whether what the server has sent by now counts. */
    public boolean counts(long nowNanos) {
        return wanted == 0 || (proven && nowNanos - provenNanos < COUNTS_NANOS);
    }

    /** Notes that a proof is needed. */
    public void use() {
        if (!used) {
            used = true;
        }
    }

    /** Whether a proof is needed and should be renewed. */
    boolean isDue(long nowNanos) {
        return wanted > 0 && used && (!proven || nowNanos - provenNanos > DUE_NANOS);
    }
}
