package io.holdfast.redis.backend;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** What is said of claims that somebody else ended: to their holders at once, and for a minute to people who look. */
final class Revocations {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final NodeCaller caller;
    private final RedisSettings settings;

    Revocations(NodeCaller caller, RedisSettings settings) {
        this.caller = caller;
        this.settings = settings;
    }

    /** Before the claim ends, so that nobody sees the end without its reason. */
    void remember(Claim claim) {
        String key = Keys.revoked(settings.prefix(), claim.resource(), claim.id());
        try {
            caller.call(key, untilNanos(), (node, session) -> new byte[][] {
                Bytes.of("SET"), Bytes.of(key), Bytes.of("1"), Bytes.of("PX"), Bytes.of(REMEMBERED.toMillis())
            });
        } catch (RuntimeException forgotten) {
            LOG.log(Level.DEBUG, () -> "nobody will know who ended " + claim.id() + ": " + forgotten.getMessage());
        }
    }

    boolean isRemembered(Resource resource, ClaimId claim) {
        String key = Keys.revoked(settings.prefix(), resource, claim);
        Answer answer =
                caller.call(key, untilNanos(), (node, session) -> new byte[][] {Bytes.of("EXISTS"), Bytes.of(key)});
        return Replies.number(answer.reply()) > 0;
    }

    /** A listening holder is told at once, any other at its next renewal. */
    void tell(Claim claim) {
        String key = Keys.key(settings.prefix(), claim.resource());
        try {
            caller.call(key, untilNanos(), (node, session) -> new byte[][] {
                Bytes.of(session.isSharded() ? "SPUBLISH" : "PUBLISH"),
                Bytes.of(session.channelOf(claim.id().client())),
                Bytes.of(Messages.revocation(claim))
            });
        } catch (RuntimeException unheard) {
            LOG.log(Level.DEBUG, () -> claim.id() + " will find out at its next renewal: " + unheard.getMessage());
        }
    }

    private long untilNanos() {
        return settings.time().until(settings.requestTimeout());
    }
}
