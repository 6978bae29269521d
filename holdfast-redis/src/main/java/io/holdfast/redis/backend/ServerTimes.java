package io.holdfast.redis.backend;

import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.TokenFloor;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** What replies tell of the servers' clocks. */
final class ServerTimes {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");

    private final TokenFloor floor;

    ServerTimes(TokenFloor floor) {
        this.floor = floor;
    }

    /** A reply told the server's time. */
    void learn(Answer answer, long serverMicros) {
        floor.raise(serverMicros, answer.receivedNanos());
        long jumpNanos = answer.session().clock().learn(answer.sentNanos(), answer.receivedNanos(), serverMicros);
        if (jumpNanos != 0) {
            answer.node().doubt();
            LOG.log(
                    Level.WARNING,
                    "the clock of " + answer.node() + " was set by about " + Duration.ofNanos(jumpNanos)
                            + (jumpNanos > 0 ? "; leases may have ended early by as much" : ""));
        }
    }
}
