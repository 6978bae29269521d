package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.PipelinedBackend;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections that died while idle, that take long, or that are not accepted: how long a caller waits, and what it is
 * told.
 */
@Tag("integration")
@Timeout(60)
class ConnectionFaultTest {
    private RedisServer server;

    @RegisterExtension
    final Bench bench = new Bench();

    private FaultProxy proxy;

    @BeforeEach
    void open() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        proxy = bench.open(FaultProxy.to(server));
    }

    @AfterEach
    void resume() {
        server.resume();
    }

    /** As a server with a time-out for idle clients does, or a firewall. */
    @Test
    void tryAcquire_serverClosedIdleConnections_asksOnceMore() {
        LockClient client = bench.client(server.uri());
        for (int i = 0; i < 10; i++) {
            assertThat((Long) server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"))
                    .isPositive();
            client.lock("a").tryAcquire().orElseThrow().close();
        }
        server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        assertThat(client.inspector().list("").toList()).isEmpty();
    }

    /** Rule: a repeated release may have been executed the first time, so the holder is told in any case. */
    @Test
    void revoke_replyLostAndAskedAgain_theHolderIsTold() {
        RawLocks holder = bench.raw(server.uri());
        Claim held = holder.claim("a", 20_000, false);
        holder.grant(held);
        RawLocks operator = bench.raw(proxy.uri());
        operator.grant(operator.claim("b", 20_000, false));
        Bench.soon("it listens")
                .until(() -> server.command("PUBSUB", "NUMSUB", bench.prefix() + ":client:" + holder.id())
                        .toString()
                        .endsWith("1]"));
        proxy.closeInsteadOfReply(1, bench.releases("a"));

        assertThat(operator.backend().revoke(held)).isTrue();
        Bench.soon("it is told").until(() -> holder.revoked().equals(List.of(held.id())));
    }

    /** Rule: a connection that died while idle may also fail on a write. */
    @Test
    void beginAttempt_idleConnectionCannotBeWrittenTo_asksOnceMore() {
        AtomicBoolean ended = new AtomicBoolean();
        RawLocks raw = bench.raw(bench.builder(server.uri()).driver(new Wires() {
            @Override
            void send(RedisConnection connection, List<byte[][]> commands) {
                if (ended.compareAndSet(true, false)) {
                    connection.close();
                    throw RedisLinkException.broken("ended long ago", null);
                }
                connection.send(commands);
            }
        }));
        Claim claim = raw.claim("a", 20_000, false);
        raw.grant(claim);
        PipelinedBackend backend = (PipelinedBackend) raw.backend();
        ended.set(true);
        assertThat(backend.beginAttempt(claim, Duration.ofSeconds(2)).get()).isInstanceOf(AttemptResult.Granted.class);
        assertThat(ended).isFalse();
        ended.set(true);
        assertThat(backend.beginRelease(claim, Duration.ofSeconds(2)).get()).isTrue();
        assertThat(ended).isFalse();
    }

    @Test
    void tryAcquire_nobodyTakesTheConnection_saysThatNothingWasAskedFor() {
        LockClient client = bench.client(proxy.uri());
        client.lock("a").acquire().close();
        proxy.refuse();
        proxy.reset();
        assertThatThrownBy(() -> client.lock("a").tryAcquire()) // perhaps on a connection that broke
                .isInstanceOf(LockStoreException.class);
        LockStoreException unsent = catchThrowableOfType(
                LockStoreException.class, () -> client.lock("a").tryAcquire());
        assertThat(unsent)
                .hasMessageContaining("nothing was asked for")
                .hasMessageContaining(String.valueOf(proxy.port()))
                .hasMessageNotContaining("nobody knows");
    }

    /** A caller with little time does not wait for a connection as long as one with much. */
    @Test
    void tryAcquire_connectionHasToBeMadeAndServerStandsStill_takesTheCallersTime() {
        Duration much = Duration.ofSeconds(20);
        LockClient client =
                bench.client(bench.builder(proxy.uri()).requestTimeout(much).connectTimeout(much));
        client.lock("a").acquire().close();
        server.pause();
        proxy.reset();
        long began = System.nanoTime();
        assertThatThrownBy(() -> client.lock("a").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(LockStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(much.dividedBy(2));
    }

    /** One try gets an answer, however far away the server is, and so does a wait that is shorter than a round trip. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 100})
    void tryAcquire_waitIsShorterThanTheWayToTheServer_isAnsweredAllTheSame(int millis) throws Exception {
        proxy.delayReplies(Duration.ofMillis(250));
        LockClient client = bench.client(bench.builder(proxy.uri())
                .requestTimeout(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(10)));
        assertThat(client.lock("a").tryAcquire(Duration.ofMillis(millis))).isPresent();
        assertThat(client.lock("a").tryAcquire(Duration.ofMillis(millis))).isEmpty();
    }
}
