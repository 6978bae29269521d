package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The script that keeps places, alone, on a real server. */
@Tag("integration")
class LineKeepTest {
    private static final String NEVER = Long.toString(Long.MAX_VALUE);

    private final Scripts scripts = new Scripts("this-server", "test:", null);

    @AutoClose
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V6_2);
    }

    @Test
    void keep_semaphore_recordOutlivesThePlaces() {
        share("c:1:x", "");
        share("c:2:x", "u");
        server.command("PEXPIRE", "shares", "5000");

        List<?> kept = run(Name.LINE_KEEP, "shares", "c", "1:x", "2:x");

        assertThat(kept.subList(2, 4)).isEqualTo(List.of(0L, 1L));
        assertThat((Long) kept.get(1)).isBetween(20_000_000L, 30_000_000L);
        assertThat((Long) server.command("PTTL", "shares")).isGreaterThan(12_000L);
    }

    @Test
    void keep_semaphoreWithRoom_somebodyHasToAsk() {
        share("c:1:x", "");
        share("c:2:x", "u");
        server.command("HSET", "shares", "used", "0");

        assertThat(run(Name.LINE_KEEP, "shares", "c", "2:x").get(1)).isEqualTo(0L);
    }

    @Test
    void keep_leaseOfAPermitIsOver_somebodyHasToAsk() {
        share("c:1:x", "");
        share("c:2:x", "u");
        server.command("HSET", "shares", "soonest", "1");

        assertThat(run(Name.LINE_KEEP, "shares", "c", "2:x").get(1)).isEqualTo(0L);
    }

    /** The life of such a record is what is left of the lease. */
    @Test
    void keep_mutex_leaseStaysAndOthersPlacesToo() {
        mutex("c:1:x", "");
        mutex("c:2:x", "u");
        mutex("d:1:x", "u");
        server.command("PEXPIRE", "mutex", "15000");
        Object other = server.command("HGET", "mutex", "q2");
        Object hold = server.command("HGET", "mutex", "hold");

        List<?> kept = run(Name.LINE_KEEP, "mutex", "c", "2:x", "1:x", "7:x");

        assertThat((Long) kept.get(1)).isBetween(1L, 5_000_000L);
        assertThat(kept.subList(2, 5)).isEqualTo(List.of(1L, 0L, 0L));
        assertThat((Long) server.command("PTTL", "mutex")).isLessThanOrEqualTo(15_000L);
        assertThat(server.command("HGET", "mutex", "q2")).isEqualTo(other);
        assertThat(server.command("HGET", "mutex", "hold")).isEqualTo(hold);
    }

    @Test
    void keep_placeWasServedMeanwhile_isNoPlaceAnyMore() {
        mutex("c:1:x", "");
        mutex("c:2:x", "u");
        server.command("HSET", "mutex", "line", "1 1"); // as if it had been served and its fields were left behind
        Object before = server.command("HGET", "mutex", "q1");

        assertThat(run(Name.LINE_KEEP, "mutex", "c", "2:x").get(2)).isEqualTo(0L);
        assertThat(server.command("HGET", "mutex", "q1")).isEqualTo(before);
    }

    @Test
    void keep_nothingThere_nothingIsMade() {
        assertThat(run(Name.LINE_KEEP, "mutex", "c", "2:x").get(2)).isEqualTo(0L);
        assertThat(server.command("EXISTS", "mutex")).isEqualTo(0L);
    }

    private void mutex(String claim, String notice) {
        evaluate(Name.LOCK_ATTEMPT, "mutex", claim, NEVER, "30000", "1", "40001", notice);
    }

    private void share(String claim, String notice) {
        evaluate(Name.SHARE_ATTEMPT, "shares", claim, NEVER, "30000", "1", notice, "1", "1", "0");
    }

    private List<?> run(Name script, String key, String... arguments) {
        return (List<?>) evaluate(script, key, arguments);
    }

    private Object evaluate(Name script, String key, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("EVAL", new String(scripts.text(script), StandardCharsets.UTF_8), "1", key));
        command.addAll(List.of(arguments));
        return server.command(command.toArray(String[]::new));
    }
}
