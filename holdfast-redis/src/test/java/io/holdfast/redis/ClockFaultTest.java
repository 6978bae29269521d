package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import io.holdfast.testing.redis.ClockShim;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose clock is set while locks are held and waited for. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class ClockFaultTest {
    @Parameter
    RedisVersion version;

    @RegisterExtension
    final Bench bench = new Bench();

    private ClockShim clock;
    private RedisServer server;

    @BeforeEach
    void open() {
        clock = new ClockShim();
        server = bench.open(RedisServer.builder(version).clock(clock).start());
    }

    /** Row 17. Rule: a message whose lease would begin in the future is not believed; the claim asks instead. */
    @Test
    void setForward_grantByMessage_isAskedForInstead() {
        RawLocks holder = bench.raw(server.uri());
        RawLocks waiter = bench.raw(server.uri());
        for (Duration step : new Duration[] {Duration.ZERO, Duration.ofSeconds(2)}) {
            Claim held = holder.claim("a", 20_000, false);
            holder.grant(held);
            Claim claim = waiter.claim("a", 5_000, true);
            waiter.queue(claim);
            clock.step(step);
            holder.release(held);
            if (step.isZero()) {
                Bench.soon("a grant by message").until(() -> waiter.grants().size() == 1);
                assertThat(waiter.grants().get(0).claim()).isEqualTo(claim.id());
                assertThat(waiter.grants().get(0).startNanos())
                        .isLessThanOrEqualTo(waiter.grants().get(0).heardNanos());
            } else {
                Bench.soon("a word to ask").until(() -> waiter.served().contains(claim.id()));
                assertThat(waiter.grants()).as("grants believed").hasSize(1);
            }
            assertThat(waiter.grant(claim)).isPositive();
            waiter.release(claim);
        }
    }

    /**
     * Row 17. Rule: the client learns the clock from a request that the server rejects as late, and sends it again,
     * unseen by the caller.
     */
    @Test
    void setForward_requests_goOnWithHigherTokens() {
        LockClient client = bench.client(server.uri());
        long token = token(client, "a");
        clock.step(Duration.ofSeconds(30));
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        assertThat(lease.token()).isGreaterThan(token);
        lease.extend(Duration.ofSeconds(31));
        lease.close();
    }

    /**
     * Row 17, further than the lease: the server ends it early. Rule: the holder is told at its renewal, and tokens
     * still grow.
     */
    @Test
    void setForwardPastALease_holder_isToldAndTheNextHasAHigherToken() {
        Lease lease = bench.client(server.uri()).lock("a", Bench.lease(6_000)).acquire();
        LockClient other = bench.client(server.uri());
        clock.step(Duration.ofSeconds(7));
        Lease next = other.lock("a").tryAcquire().orElseThrow();
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(Bench.get(lease.lost(), Duration.ofSeconds(5))).isEqualTo(LostReason.FORGOTTEN);
        assertThat(next.isValid()).isTrue();
        next.close();
    }

    /**
     * Row 18. Rule: a lease that seems to end later than it could is cut to its length; a crashed holder blocks no
     * longer.
     */
    @Test
    void setBack_crashedHolder_blocksNoLongerThanItsLease() {
        RawLocks crashed = bench.raw(server.uri());
        long token = crashed.grant(crashed.claim("a", 3_000, false));
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        clock.step(Duration.ofSeconds(-40));
        Lease next = Bench.get(waiter, Duration.ofMillis(4_700));
        assertThat(next.token())
                .as("the record's last token counts, not the clock")
                .isGreaterThan(token);
        next.close();
    }

    /** Row 18 for shares. Rule: the same, for each holder. */
    @Test
    void setBack_crashedPermit_blocksNoLongerThanItsLease() {
        LockClient client = bench.client(server.uri());
        Lease crashed = client.semaphore(
                        "s", 1, io.holdfast.LockOptions.defaults().fixedLease(Duration.ofSeconds(1)))
                .acquire();
        clock.step(Duration.ofSeconds(-40));
        Lease next = Bench.get(bench.client(server.uri()).semaphore("s", 1).acquireAsync(), Duration.ofMillis(2_700));
        assertThat(next.token()).isGreaterThan(crashed.token());
        next.close();
    }

    /** Row 18. Rule: the holder keeps its lease, the waiter keeps waiting, and nobody gets in twice. */
    @Test
    void setBack_holderThatRenews_keepsItAndHandsOver() {
        Lease lease = bench.client(server.uri()).lock("a", Bench.lease(4_500)).acquire();
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        clock.step(Duration.ofSeconds(-40));
        Bench.awaitRenewal(lease);
        Bench.awaitRenewal(lease); // the first one may have been sent before
        assertThat(waiter).isNotDone();
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    /** Rule: one token of a server that is far ahead would spoil every fence; beyond a minute nobody is served. */
    @Test
    void setByAnHour_requests_saySo() {
        LockClient client = bench.client(server.uri());
        token(client, "a");
        clock.step(Duration.ofHours(1));
        Bench.soon("a refusal").until(() -> {
            try {
                client.lock("b").tryAcquire().ifPresent(Lease::close);
                return false;
            } catch (LockStoreException skewed) {
                assertThat(skewed)
                        .hasMessageContaining("'b'")
                        .hasMessageContaining("127.0.0.1:" + server.port())
                        .message()
                        .matches(".* has a clock that is (1h|59m 59).* (ahead of|behind) ours; set both clocks .*");
                return true;
            }
        });
        assertThatThrownBy(() -> bench.client(server.uri()))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("has a clock that is ");
    }

    private static long token(LockClient client, String name) {
        try (Lease lease = client.lock(name).tryAcquire().orElseThrow()) {
            return lease.token();
        }
    }
}
