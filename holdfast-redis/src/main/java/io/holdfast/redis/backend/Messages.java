package io.holdfast.redis.backend;

import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Secrets;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.servers.TokenFloor;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ServerClock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles what scripts and other clients publish for this client: grants, and claims that were ended by others. A grant
 * by message is a fast path with its own rule about when the lease began. If that cannot be known, the claim asks the
 * server instead, and the reply decides.
 */
final class Messages {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    /** A message is believed only if the last reply with the server's time is not older than this. */
    private static final long MOST_CLOCK_AGE_NANOS = 3_000_000_000L;

    /** How old the time in a message may be; an older one means that the clock was set back. */
    private static final long MOST_DELAY_MICROS = 1_000_000;

    /** The words of a grant: claim, first token, server time, lease in ms, server, the claim's secret. */
    private static final int GRANT_PARTS = 6;

    /** How far a token may be ahead of the server's clock, because that was set back. */
    private static final long MOST_AHEAD_MICROS = 60_000_000;

    /** The word after a claim that was ended by another client. */
    private static final String REVOKED = "revoked";

    private final RedisSettings settings;
    private final Timing time;
    private final BackendListener listener;
    private final HeldClaims held;
    private final OwnLines lines;
    private final TokenFloor floor;
    private final Secrets secrets;
    private final AtomicBoolean complained = new AtomicBoolean();

    Messages(
            RedisSettings settings,
            BackendListener listener,
            HeldClaims held,
            OwnLines lines,
            TokenFloor floor,
            Secrets secrets) {
        this.settings = settings;
        this.time = settings.time();
        this.listener = listener;
        this.held = held;
        this.lines = lines;
        this.floor = floor;
        this.secrets = secrets;
    }

    static String revocation(Claim claim) {
        return Keys.claim(claim) + ' ' + REVOKED;
    }

    void heard(Node node, String message, long receivedNanos) {
        String[] parts = message.split(" ", -1);
        try {
            if (parts.length == GRANT_PARTS) {
                granted(node, parts, receivedNanos);
            } else if (parts.length == 2 && parts[1].equals(REVOKED)) {
                listener.revoked(Keys.claimId(parts[0]));
            } // else it is the handshake of some client
        } catch (NumberFormatException | IndexOutOfBoundsException foreign) {
            LOG.log(Level.DEBUG, () -> "not for us, from " + node + ": " + Printable.of(message));
        }
    }

    private void granted(Node node, String[] parts, long receivedNanos) {
        ClaimId claim = Keys.claimId(parts[0]);
        if (!parts[5].equals(secrets.of(claim))) {
            complain(node);
            return;
        }
        lines.forget(claim);
        long token = Long.parseLong(parts[1]);
        Duration left = Duration.ofMillis(Long.parseLong(parts[3]));
        Session session = node.current();
        boolean known = session != null && session.incarnation().equals(parts[4]);
        // With replicas to wait for, the claim asks in any case: its request writes, and WAIT counts that write.
        if (session == null || !known || settings.replicas() > 0) {
            listener.served(claim);
            return;
        }
        long grantedMicros = Long.parseLong(parts[2]);
        long startNanos = startNanos(session.clock(), grantedMicros, receivedNanos);
        boolean spoilt = ClockSkew.of(grantedMicros, time.wallMillis()).isFarAhead();
        session.following().use();
        boolean senseless = token <= 0
                || left.compareTo(Scripts.GRANT_LEASE) > 0
                || token - session.clock().atMostMicros(receivedNanos) > MOST_AHEAD_MICROS;
        if (startNanos - receivedNanos > 0
                || spoilt
                || senseless
                || !session.following().counts(receivedNanos)
                || isLow(token, session.clock(), grantedMicros, receivedNanos)) {
            listener.served(claim);
        } else {
            floor.granted(token, receivedNanos);
            held.handedOver(claim, token, left, startNanos, session);
            listener.granted(claim, token, left, startNanos);
        }
    }

    private void complain(Node node) {
        if (complained.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "somebody who does not know our locks publishes grants of them on " + node
                            + ", which are ignored; let only users of the locks publish there: ACL SETUSER <other user>"
                            + " resetchannels");
        }
    }

    /**
     * The client that handed the lock over may not know what this one knows of the servers' time. A very late message
     * is not believed either.
     */
    private boolean isLow(long token, ServerClock clock, long grantedMicros, long receivedNanos) {
        long shownMicros = Math.min(clock.atLeastMicros(receivedNanos), grantedMicros + MOST_DELAY_MICROS);
        return floor.isAbove(token, shownMicros, receivedNanos);
    }

    /**
     * The local instant of a grant, or one in the future when it cannot be known: there was no recent reply with the
     * server's time, or the grant would lie in the future, which means that the clock was set.
     */
    private static long startNanos(ServerClock clock, long grantedMicros, long receivedNanos) {
        return clock.ageNanos(receivedNanos) > MOST_CLOCK_AGE_NANOS
                ? receivedNanos + 1
                : clock.notLaterThanNanos(grantedMicros);
    }
}
