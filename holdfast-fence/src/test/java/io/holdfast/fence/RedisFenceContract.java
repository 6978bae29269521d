package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.redis.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisDataException;

/** Who is let in, and what is done then. */
abstract class RedisFenceContract extends RedisFenceFixture {

    RedisFenceContract(RedisVersion version) {
        super(version);
    }

    // ---- entering

    @Test
    void run_nobodyWasThere_acceptedAndStored() {
        String name = newName();

        enter(name, 33, A);

        assertStored(name, 33, A);
    }

    @Test
    void run_smallerToken_refusedWithBothTokensAndHolders() {
        String name = newName();
        enter(name, 34, B);

        assertThatThrownBy(() -> enter(name, 33, A))
                .isInstanceOfSatisfying(StaleTokenException.class, refusal -> {
                    assertThat(refusal.refused()).isEqualTo(new FenceEntry(name, 33, A));
                    assertThat(refusal.stored()).isEqualTo(new FenceEntry(name, 34, B));
                })
                .hasMessageContainingAll("33", "34", name, A, B);
        assertStored(name, 34, B);
    }

    @Test
    void run_equalTokenOfAnotherHolder_refused() {
        String name = newName();
        enter(name, 33, A);

        assertThatThrownBy(() -> enter(name, 33, B)).isInstanceOf(StaleTokenException.class);
        assertStored(name, 33, A);
    }

    @Test
    void run_sameHolderAgain_accepted() {
        String name = newName();
        enter(name, 33, A);

        enter(name, 33, A);

        assertStored(name, 33, A);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 10",
        "99, 100",
        "1794765671762000, 1794765671762001",
        "9007199254740992, 9007199254740993",
        "9223372036854775806, 9223372036854775807"
    })
    void run_tokens_comparedExactly(long smaller, long greater) {
        String name = newName();
        enter(name, smaller, B);
        enter(name, greater, A);

        assertThatThrownBy(() -> enter(name, smaller, B)).isInstanceOf(StaleTokenException.class);
        assertStored(name, greater, A);
    }

    // ---- what is done

    @Test
    void run_accepted_workSeesItsOwnKeysAndArguments() {
        String name = newName();

        Object reply = run(name, 33, A, "return {#KEYS, KEYS[1], #ARGV, ARGV[1], ARGV[2]}", "x", "y");

        assertThat(reply).isEqualTo(List.of(1L, dataKey(name), 2L, "x", "y"));
    }

    @Test
    void run_accepted_returnsWhatTheWorkReturns() {
        String name = newName();

        assertThat(run(name, 33, A, "return 7")).isEqualTo(7L);
        assertThat(run(name, 33, A, "return 'text'")).isEqualTo("text");
        assertThat(run(name, 33, A, "return {1, {2, 'three'}}")).isEqualTo(List.of(1L, List.of(2L, "three")));
        assertThat(run(name, 33, A, "return redis.call('SET', KEYS[1], 1)")).isEqualTo("OK");
        assertThat(run(name, 33, A, "return false")).isNull();
        assertThat(run(name, 33, A, "return nil")).isNull();
        assertThat(run(name, 33, A, "local x = 1 -- and no more")).isNull();
    }

    @Test
    void run_refused_workIsNotDone() {
        String name = newName();
        assertThat(run(name, 34, B, INCREMENT)).isEqualTo(1L);

        assertThatThrownBy(() -> run(name, 33, A, INCREMENT)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> run(name, 34, A, INCREMENT)).isInstanceOf(StaleTokenException.class);

        assertThat(redis.get(dataKey(name))).isEqualTo("1");
    }

    @Test
    void run_workFails_errorIsPassedOnWithItsOwnLine() {
        String name = newName();

        assertThatThrownBy(() -> run(name, 33, A, "local x = 1\nerror('broken')"))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining(":2: broken");
        assertThatThrownBy(() -> run(name, 33, A, "return redis.pcall('INCR', 'no', 'such')"))
                .isInstanceOf(JedisDataException.class);
        assertThatThrownBy(() -> run(name, 33, A, "return redis.error_reply('MINE no')"))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("MINE no");
    }

    @Test
    void run_flagsLine_refused() {
        assertThatThrownBy(() -> run(newName(), 33, A, "#!lua flags=no-writes\nreturn 1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#!lua flags=no-writes");
    }

    @Test
    void run_fenceIsSomethingElse_passedOnAndLeftAlone() {
        String name = newName();
        redis.set(fenceKey(name), "somebody's");

        assertThatThrownBy(() -> run(name, 33, A, INCREMENT))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(redis.get(fenceKey(name))).isEqualTo("somebody's");
        assertThat(redis.exists(dataKey(name))).isFalse();
    }

    @Test
    void run_clientThatAnswersInBytes_understood() {
        String name = newName();
        RedisFence binary = RedisFence.over((script, keys, arguments) -> redis.eval(
                bytes(script),
                keys.stream().map(RedisFenceContract::bytes).toList(),
                arguments.stream().map(RedisFenceContract::bytes).toList()));

        binary.run(new FenceEntry(name, 34, B), fenceKey(name), "return 1", List.of(), List.of());

        assertThatThrownBy(
                        () -> binary.run(new FenceEntry(name, 33, A), fenceKey(name), "return 1", List.of(), List.of()))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContainingAll("33", "34", B);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void run_runnerWithoutAnAnswer_notTakenForAccepted() {
        for (Object nonsense : Arrays.asList(null, 1L, List.of(), List.of("x"))) {
            RedisFence broken = RedisFence.over((script, keys, arguments) -> nonsense);
            assertThatThrownBy(
                            () -> broken.run(new FenceEntry("order", 33, A), "fence", "return 1", List.of(), List.of()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("runner");
        }
    }

    // ---- how long a fence is kept

    @Test
    void fence_byDefault_keptForEver() {
        String name = newName();
        enter(name, 33, A);

        assertThat(redis.pttl(fenceKey(name))).isEqualTo(-1);
    }

    @Test
    void fence_withRetention_keptThatLongAfterTheLastEntry() {
        String name = newName();
        FenceEntry entry = new FenceEntry(name, 33, A);
        RedisFence forgetful = fence.retention(Duration.ofMinutes(10));
        forgetful.run(entry, fenceKey(name), "return 1", List.of(), List.of());
        assertThat(redis.pttl(fenceKey(name))).isBetween(540_000L, 600_000L);

        redis.pexpire(fenceKey(name), 60_000);
        forgetful.run(entry, fenceKey(name), "return 1", List.of(), List.of());
        assertThat(redis.pttl(fenceKey(name))).isBetween(540_000L, 600_000L);

        enter(name, 33, A);
        assertThat(redis.pttl(fenceKey(name))).as("without retention again").isEqualTo(-1);
    }

    @Test
    void fence_refused_isNotKeptLongerForIt() {
        String name = newName();
        enter(name, 34, B);
        redis.pexpire(fenceKey(name), 60_000);

        assertThatThrownBy(() -> enter(name, 33, A)).isInstanceOf(StaleTokenException.class);

        assertThat(redis.pttl(fenceKey(name))).isBetween(1L, 60_000L);
    }

    @Test
    void retention_outOfBounds_refused() {
        for (Duration retention : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(36_501))) {
            assertThatThrownBy(() -> fence.retention(retention))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("retention", retention.toString());
        }
    }

    // ---- many at once

    @Test
    void run_manyThreadsCount_noAcceptedUpdateIsLost() throws Exception {
        String name = newName();
        AtomicLong tokens = new AtomicLong();
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(CompletableFuture.supplyAsync(() -> accepted(name, tokens)));
        }

        long accepted = 0;
        for (CompletableFuture<Long> each : all) {
            accepted += each.get(30, TimeUnit.SECONDS);
        }
        assertThat(Long.parseLong(redis.get(dataKey(name)))).isEqualTo(accepted).isPositive();
    }

    /** Reads in one step and writes in another, each behind the fence; returns how often both were accepted. */
    private long accepted(String name, AtomicLong tokens) {
        long accepted = 0;
        for (int round = 0; round < 50; round++) {
            long token = tokens.incrementAndGet();
            try {
                Object seen = run(name, token, "thread:" + token, "return redis.call('GET', KEYS[1])");
                long next = seen == null ? 1 : Long.parseLong((String) seen) + 1;
                run(name, token, "thread:" + token, "redis.call('SET', KEYS[1], ARGV[1])", String.valueOf(next));
                accepted++;
            } catch (StaleTokenException e) {
                // The next round has a new token.
            }
        }
        return accepted;
    }
}
