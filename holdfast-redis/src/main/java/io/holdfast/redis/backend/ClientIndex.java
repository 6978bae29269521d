package io.holdfast.redis.backend;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.settings.RedisSettings;
import java.time.Duration;
import java.util.List;

/**
 * All clients of a store in one hash, each with the end of its record, so that somebody can go through them: records
 * lie in many slots, and nobody scans for them. Written right after the record, by a script of its own, because in a
 * Cluster the two are on different servers.
 */
final class ClientIndex {
    /** Every so many writes, a client drops others that ended long ago. */
    static final int WRITES_UNTIL_TIDY = 100;

    /**
     * Server time in ms, and what drops those whose record ended a minute ago; answers with those whose record is good.
     */
    private static final String READ = """
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function tidy()
              local all, alive = redis.call('HGETALL', KEYS[1]), {}
              for i = 1, #all, 2 do
                local ends = tonumber(all[i + 1]) or 0
                if ends > now then
                  alive[#alive + 1] = all[i]
                elseif ends + 60000 < now then
                  redis.call('HDEL', KEYS[1], all[i])
                end
              end
              return alive
            end
            """;

    /** ARGV: the client, how long its record lives in ms, 1 to drop others. Answers 1 if somebody watches. */
    private static final String WRITE = READ + """
                    redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', now + ARGV[2]))
                    redis.call('PEXPIRE', KEYS[1], 60000)
                    if ARGV[3] == '1' then tidy() end
                    return redis.call('EXISTS', KEYS[2])
                    """;

    private final NodeCaller caller;
    private final RedisSettings settings;
    private final String key;
    private final String clientId;
    private int writes;

    ClientIndex(NodeCaller caller, RedisSettings settings, String clientId) {
        this.caller = caller;
        this.settings = settings;
        this.key = settings.prefix() + ":{clients}";
        this.clientId = clientId;
    }

    /** This client's record is good for so long from now on. By one thread at a time. */
    void write(Duration life, long untilNanos) {
        boolean tidies = ++writes % WRITES_UNTIL_TIDY == 0;
        caller.callAside(key, untilNanos, (node, session) -> new byte[][] {
            Bytes.of("EVAL"),
            Bytes.of(WRITE),
            Bytes.of("2"),
            Bytes.of(key),
            Bytes.of(key + ":watched"),
            Bytes.of(clientId),
            Bytes.of(life.toMillis()),
            Bytes.of(tidies ? "1" : "0")
        });
    }

    void remove(long untilNanos) {
        caller.callAside(
                key, untilNanos, (node, session) -> new byte[][] {Bytes.of("HDEL"), Bytes.of(key), Bytes.of(clientId)});
    }

    /** The clients whose record is good. */
    List<String> read() {
        return caller
                .call(key, settings.time().until(settings.requestTimeout()), (node, session) ->
                        new byte[][] {Bytes.of("EVAL"), Bytes.of(READ + "return tidy()"), Bytes.of("1"), Bytes.of(key)})
                .list()
                .stream()
                .map(Replies::string)
                .toList();
    }
}
