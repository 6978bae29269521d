package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.Safety;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.AofCopy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server is killed and comes back with all its data, none, or an older state. */
@Tag("integration")
@Timeout(60)
class RestartFaultTest {
    private static final Duration LONGEST = Duration.ofSeconds(6);

    /** How long {@link Safety#STRICT} waits with that longest lease. */
    private static final Duration SHUT = Duration.ofMillis(19_060);

    @RegisterExtension
    final Bench bench = new Bench();

    /**
     * Row 1. Rule: a new process knows no script, so the next call does a handshake and goes on with the record from
     * disk.
     */
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void killed_restartedWithItsFile_holderKeepsTheLock(RedisVersion version) {
        RedisServer server =
                bench.open(RedisServer.builder(version).appendFsync("always").start());
        Lease lease = bench.client(server.uri()).lock("a", Bench.lease(9_000)).acquire();
        LockClient other = bench.client(server.uri());
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.restart();
        Bench.awaitRenewal(lease);
        assertThat(waiter).isNotDone();
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        assertThat(next.token()).isGreaterThan(lease.token());
        next.close();
    }

    /**
     * Row 2, {@link Safety#AVAILABLE}. Rule: the token comes from the clock, so it grows though the record is gone; the
     * old holder is told.
     */
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void restartedEmpty_available_grantsAtOnceWithAHigherToken(RedisVersion version) {
        RedisServer server = bench.open(RedisServer.start(version));
        LockClient first = bench.client(server.uri());
        Lease lease = first.lock("a", Bench.lease(9_000)).acquire();
        LockClient other = bench.client(server.uri());
        server.restartEmpty();
        Lease next = Bench.take(other, "a");
        assertThat(next.token()).isGreaterThan(lease.token());
        assertThat(Bench.get(lease.lost(), Duration.ofSeconds(8))).isEqualTo(LostReason.FORGOTTEN);
        assertThat(next.isValid()).isTrue();
        next.close();
    }

    /**
     * Rows 2 and 3, {@link Safety#STRICT}, both at once because both must wait for a shut server. Rules: the mark names
     * the process, so a server that came back without data, or with old data, shuts itself; an earlier holder
     * re-creates its lock by renewing.
     */
    @Test
    void restartedEmptyOrFromAnOldFile_strict_grantsNothingUntilOldLeasesEnded() {
        RedisServer empty = strictServer();
        RedisServer old = strictServer();
        AofCopy before = old.copyAof();
        Guarded withEmpty = new Guarded(empty);
        Guarded withOld = new Guarded(old);
        empty.restartEmpty();
        withEmpty.restarted();
        old.restartFrom(before);
        withOld.restarted();

        withEmpty.refusesNewcomers();
        withOld.refusesNewcomers();
        Bench.soon("both grant again")
                .atMost(SHUT.plusSeconds(8))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    boolean isEmptyOpen = withEmpty.isOpen(); // both looks, each time
                    return withOld.isOpen() && isEmptyOpen;
                });
        withEmpty.heldOnAndHandsOver();
        withOld.heldOnAndHandsOver();
    }

    /** Rule: a check whether the hold still exists, after a message that anybody may send, shortens nothing. */
    @Test
    void restartedEmpty_strict_aLookPutsTheWholeHoldBack() {
        RedisServer server = strictServer();
        RawLocks locks = bench.raw(strict(server));
        Claim claim = locks.claim("a", LONGEST.toMillis(), false);
        assertThat(locks.attempt(claim)).isInstanceOf(AttemptResult.Granted.class);
        server.restartEmpty();
        assertThat(Bench.soon("an answer").until(() -> locks.renew(claim, 1), RenewResult.Renewed.class::isInstance))
                .isInstanceOfSatisfying(
                        RenewResult.Renewed.class,
                        back -> assertThat(back.left()).isGreaterThan(Duration.ofMillis(50)));
    }

    /** A guarded server that need not wait, because nobody has held anything yet. */
    private RedisServer strictServer() {
        RedisServer server = bench.open(
                RedisServer.builder(RedisVersion.V7_0).appendFsync("always").start());
        strict(server).startEmpty().connect().close();
        return server;
    }

    private RedisLocksBuilder strict(RedisServer server) {
        return bench.builder(server.uri()).safety(Safety.STRICT).longestLease(LONGEST);
    }

    /** A holder, a waiter for its lock, and a client that wants a new one. */
    private final class Guarded {
        private final LockClient newcomer;
        private final Lease held;
        private final CompletableFuture<Lease> waiter;
        private CompletableFuture<Lease> fresh = new CompletableFuture<>();
        private long restartedNanos;
        private long openNanos;

        Guarded(RedisServer server) {
            held = bench.client(strict(server)).lock("held", Bench.lease(6_000)).acquire();
            newcomer = bench.client(strict(server));
            waiter = newcomer.lock("held", Bench.lease(2_000)).acquireAsync();
            bench.awaitListening(server, "held", 1);
        }

        void restarted() {
            restartedNanos = System.nanoTime();
            fresh = newcomer.lock("fresh", Bench.lease(2_000)).acquireAsync();
            fresh.thenAccept(lease -> openNanos = System.nanoTime());
        }

        void refusesNewcomers() {
            Bench.soon("a refusal of what is new").until(() -> isRefused("other"));
            Bench.soon("a refusal of what is held").until(() -> isRefused("held"));
        }

        /** Whether the answer is that nothing is granted now; a server that is not up yet cannot say so. */
        private boolean isRefused(String name) {
            try {
                Optional<Lease> answer = newcomer.lock(name, Bench.lease(1_000)).tryAcquire();
                assertThat(answer).as("%s: not granted", name).isEmpty();
                assertThat(name)
                        .as("busy behind a waiter that has not asked again, if at all")
                        .isEqualTo("held");
                return false;
            } catch (LockRefusedException shut) {
                assertThat(shut).hasMessageContaining("'" + name + "'").hasMessageContaining("restarted");
                assertThat(shut.retryAfter()).isBetween(LONGEST, SHUT);
                return true;
            } catch (LockStoreException stillComingUp) {
                return false;
            }
        }

        boolean isOpen() {
            assertThat(held.isValid()).as("the holder re-created its lock").isTrue();
            assertThat(waiter).as("the waiter for what is held").isNotDone();
            return fresh.isDone();
        }

        void heldOnAndHandsOver() {
            Bench.get(fresh).close();
            assertThat(Duration.ofNanos(openNanos - restartedNanos))
                    .as("every lease from before has ended by then")
                    .isGreaterThan(LONGEST);
            held.close();
            Lease next = Bench.get(waiter, Bench.POLL_BOUND);
            assertThat(next.token()).isGreaterThan(held.token());
            next.close();
        }
    }
}
