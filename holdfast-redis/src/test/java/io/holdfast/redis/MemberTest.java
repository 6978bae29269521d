package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.engine.LockEngine;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One member of a quorum alone: when it has forgotten, and what it must not forget. */
@Tag("integration")
class MemberTest {
    private static final Duration LONGEST = Duration.ofSeconds(2);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;

    @BeforeEach
    void open() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
    }

    private RedisLocksBuilder builder() {
        return bench.builder(server.uri()).longestLease(LONGEST);
    }

    private LockClient client(RedisLocksBuilder builder) {
        return bench.open(LockEngine.start(
                RedisMember.of(builder, 3).newBackend(), LockOptions.defaults().lease(LONGEST)));
    }

    private void assertShut(LockClient client) {
        assertThatThrownBy(() -> client.lock("b").tryAcquire())
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("startEmpty()");
    }

    /** Same process, connections and scripts: only the mark is gone, and the client that asks has seen it before. */
    @Test
    void emptied_sameProcess_grantsNothing() {
        LockClient client = client(builder().startEmpty());
        client.lock("a").acquire().close();
        server.flushAll();
        assertShut(client);
    }

    @Test
    void shutByAnotherClient_grantsNothing() {
        LockClient early = client(builder().startEmpty());
        early.lock("a").acquire().close();
        server.flushAll();
        assertShut(client(builder()));
        assertShut(early);
    }

    @Test
    void upForLongAndEmptied_isShut() {
        client(builder().startEmpty());
        Bench.soon("a server that is not young any more")
                .until(() -> Long.parseLong(server.info("server").get("uptime_in_seconds")) > 4);
        server.flushAll();
        assertShut(client(builder()));
    }

    @Test
    void extended_beyondTheLongestLease_refused() {
        Lease lease = client(builder().startEmpty()).lock("a").acquire();
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a lease of 9s for 'a' is longer than 2s");
    }

    /**
     * Another member's clock is an hour ahead and made the token; the record ends, as it does when its holder dies, and
     * the token stays.
     */
    @Test
    void tokenAheadOfTheClock_outlivesItsRecord() {
        RawLocks raw = bench.open(
                new RawLocks(RedisMember.of(builder().startEmpty(), 3).newBackend()));
        long ahead = (System.currentTimeMillis() + 3_600_000) * 1_000;
        Claim first = Claim.builder(new ClaimId(raw.id(), 1), Bench.lock("a"), LONGEST)
                .tokens(4)
                .label("me")
                .leastToken(ahead)
                .build();
        assertThat(raw.backend().attempt(first, LONGEST)).isEqualTo(new AttemptResult.Granted(ahead, LONGEST));
        server.command("DEL", bench.key("a"));
        Claim next = Claim.builder(new ClaimId(raw.id(), 2), Bench.lock("a"), LONGEST)
                .label("me")
                .build();
        assertThat(raw.backend().attempt(next, LONGEST)).isEqualTo(new AttemptResult.Granted(ahead + 4, LONGEST));
    }
}
