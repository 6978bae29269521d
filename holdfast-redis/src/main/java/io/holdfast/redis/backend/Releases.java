package io.holdfast.redis.backend;

import io.holdfast.LockKind;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ErrorMessages;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.RecordKeys;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends claims with one script call each, or more while there are dead places to remove. */
final class Releases {
    /** The least time for an answer after another one took all of it. */
    private static final long GRACE_NANOS = 50_000_000;

    /** How long a release may wait for a connection. Waiters are served or refused long before. */
    private static final Duration NO_HURRY = Duration.ofMinutes(1);

    private static final byte[] ZERO = Bytes.of("0");
    private static final byte[] ONE = Bytes.of("1");
    private static final byte[] NEVER = Bytes.of(1L << 53);

    private final NodeCaller caller;
    private final RedisSettings settings;
    private final Timing time;
    private final RecordKeys keys;

    Releases(NodeCaller caller, RedisSettings settings, RecordKeys keys) {
        this.caller = caller;
        this.settings = settings;
        this.time = settings.time();
        this.keys = keys;
    }

    /** Ends a claim, or leaves the line. Returns whether the server knew it. */
    boolean release(Claim claim) {
        return ended(new Ending(claim), NO_HURRY, null);
    }

    /** The same in two steps. */
    Supplier<Boolean> beginRelease(Claim claim, Duration patience) {
        Ending ending = new Ending(claim);
        long untilNanos = time.nanos() + patience.toNanos();
        try {
            NodeCaller.Sent sent = caller.send(ending.key.text(), untilNanos, ending);
            return () -> {
                long leftNanos = Math.max(untilNanos - time.nanos(), GRACE_NANOS);
                return ended(ending, Duration.ofNanos(leftNanos), sent);
            };
        } catch (RuntimeException failure) {
            RuntimeException told = ErrorMessages.with(claim.resource(), settings, failure);
            return () -> {
                throw told;
            };
        }
    }

    /** The release of one claim. */
    private final class Ending implements NodeCaller.Command {
        private final Resource resource;
        private final RecordKeys.Key key;
        private final byte[] claim;

        Ending(Claim claim) {
            this.resource = claim.resource();
            this.key = keys.of(resource);
            this.claim = Keys.encoded(claim);
        }

        @Override
        public byte[][] to(Node node, Session session) {
            boolean mutex = Scripts.isMutex(resource.kind());
            byte[][] call = mutex
                    ? session.call(Name.LOCK_RELEASE, key.bytes(), 2)
                    : session.call(Name.SHARE_RELEASE, key.bytes(), 3);
            call[Session.WORDS] = claim;
            call[Session.WORDS + 1] =
                    session.isShut(key.text(), time.nanos()) ? NEVER : ZERO; // whatever its clock says
            if (!mutex) {
                call[Session.WORDS + 2] = resource.kind() == LockKind.LATCH ? ONE : ZERO;
            }
            return call;
        }
    }

    private boolean ended(Ending ending, Duration patience, NodeCaller.@Nullable Sent first) {
        Resource resource = ending.resource;
        NodeCaller.Sent sent = first;
        try {
            long known = 0;
            long untilNanos = time.nanos() + patience.toNanos();
            boolean more; // dead places to remove, or claims to serve
            do {
                Answer answer = sent != null
                        ? caller.receive(sent, ending.key.text(), untilNanos, ending)
                        : caller.call(ending.key.text(), untilNanos, ending);
                sent = null;
                long result = Replies.number(answer.reply());
                known |= answer.repeated() ? 1 : result & 1; // the first one may have ended it
                more = (result & 2) != 0;
            } while (more && untilNanos - time.nanos() > 0);
            return known == 1;
        } catch (RuntimeException failure) {
            throw ErrorMessages.with(resource, settings, failure);
        }
    }
}
