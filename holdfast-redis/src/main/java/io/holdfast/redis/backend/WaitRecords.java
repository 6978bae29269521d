package io.holdfast.redis.backend;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.spi.WaitRecord;
import io.holdfast.spi.WaitText;
import java.time.Duration;
import java.util.Optional;

/** What clients say of who waits in them: a string for each, for a few seconds. */
final class WaitRecords {
    /** How long a record outlives its client, or a client that cannot reach the server. */
    private static final Duration LIFE = Duration.ofSeconds(5);

    private final NodeCaller caller;
    private final RedisSettings settings;

    WaitRecords(NodeCaller caller, RedisSettings settings) {
        this.caller = caller;
        this.settings = settings;
    }

    private String key(String clientId) {
        return settings.prefix() + ":waits:{" + clientId + "}";
    }

    private long untilNanos() {
        return settings.time().until(settings.requestTimeout());
    }

    void publish(WaitRecord record) {
        String key = key(record.client());
        byte[][] command = record.suspects().isEmpty()
                ? new byte[][] {Bytes.of("DEL"), Bytes.of(key)}
                : new byte[][] {
                    Bytes.of("SET"),
                    Bytes.of(key),
                    Bytes.of(WaitText.of(record)),
                    Bytes.of("PX"),
                    Bytes.of(LIFE.toMillis())
                };
        caller.callAside(key, untilNanos(), (node, session) -> command);
    }

    Optional<String> of(String clientId) {
        String key = key(clientId);
        Object reply = caller.callAside(
                        key, untilNanos(), (node, session) -> new byte[][] {Bytes.of("GET"), Bytes.of(key)})
                .reply();
        return reply == null ? Optional.empty() : Optional.of(Replies.string(reply));
    }
}
