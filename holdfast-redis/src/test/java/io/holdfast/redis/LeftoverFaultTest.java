package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client leaves behind on a server, and what it never does. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class LeftoverFaultTest extends OnEachVersion {
    /** Finds every key without an expiry, in one step, so that nothing is caught between two commands. */
    private static final String ENDLESS =
            "local out = {} for _, key in ipairs(redis.call('KEYS', '*')) do if redis.call('PTTL', key) < 0 then"
                    + " out[#out + 1] = key end end return out";

    /** A latch is meant to outlive those who arrived. */
    private static final String LONGEST_LIVED =
            "local most = 0 for _, key in ipairs(redis.call('KEYS', '*')) do if not string.find(key, ':latch:') then most ="
                    + " math.max(most, redis.call('PTTL', key)) end end return most";

    @BeforeEach
    void open() {
        server.flushAll();
    }

    /** Rule: nothing is published unless somebody waits for it. */
    @Test
    void manyHolds_nobodyWaits_nothingIsPublished() {
        LockClient client = bench.client(server.uri());
        LockClient other = bench.client(server.uri());
        server.resetStats();
        for (int i = 0; i < 50; i++) {
            try (Lease lease = client.lock("a").tryAcquire().orElseThrow();
                    Lease permit = client.semaphore("s", 2).tryAcquire().orElseThrow()) {
                assertThat(other.lock("a").tryAcquire()).isEmpty();
                lease.extend(Duration.ofSeconds(40));
                assertThat(permit.isValid()).isTrue();
            }
        }
        assertThat(server.commandStats()).containsKey("evalsha").doesNotContainKeys("publish", "spublish", "pubsub");
    }

    /** Rule: one message for each grant to a waiter, and none to anybody else. */
    @Test
    void oneWaiter_releases_oneMessage() {
        LockClient holder = bench.client(server.uri());
        LockClient other = bench.client(server.uri());
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.resetStats();
        lease.close();
        Bench.get(waiter, Bench.AT_ONCE).close();
        assertThat(server.commandStats().get("publish").calls()).isEqualTo(1);
    }

    /**
     * Rules: every key has an expiry at every moment, and what clients leave behind lasts no longer than a lease and
     * the retention.
     */
    @Test
    void everyKey_alwaysAndAfterTheEnd_hasAnEnd() {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<List<String>> watch = CompletableFuture.supplyAsync(() -> {
            List<String> endless = new ArrayList<>();
            while (!over.get()) {
                ((List<?>) server.command("EVAL", ENDLESS, "0")).forEach(key -> endless.add(key.toString()));
            }
            return endless;
        });
        LockClient one = bench.client(server.uri());
        LockClient two = bench.client(server.uri());
        for (int i = 0; i < 8; i++) {
            Lease lease = one.lock("a").acquire();
            CompletableFuture<Lease> waiter = two.lock("a").acquireAsync();
            Lease permit = one.semaphore("s", 1).acquire();
            CompletableFuture<Lease> second = two.semaphore("s", 1).acquireAsync();
            Lease write = one.readWriteLock("rw").writeLock().acquire();
            CompletableFuture<Lease> read = two.readWriteLock("rw").readLock().acquireAsync();
            one.latch("l" + i, 2).countDown();
            one.election("e").stand(term -> {}).close();
            lease.close();
            permit.close();
            write.close();
            List.of(waiter, second, read).forEach(future -> Bench.get(future).close());
        }
        one.close();
        two.close();
        over.set(true);
        assertThat(Bench.get(watch)).as("keys without an end").isEmpty();
        Duration most = Duration.ofMillis((long) server.command("EVAL", LONGEST_LIVED, "0"));
        assertThat(most).isLessThanOrEqualTo(LockOptions.DEFAULT_LEASE.plus(Scripts.RETENTION));
    }

    /** Rule: a released record is kept for the retention and no longer; a mutex that was used once leaves nothing. */
    @Test
    void record_afterItsRelease_livesForTheRetention() {
        LockClient client = bench.client(server.uri());
        client.lock("a").acquire().close();
        client.lock("b", Bench.lease(3_600_000)).acquire().close();
        for (String name : List.of("a", "b")) {
            assertThat((long) server.command("PTTL", bench.key(name))).isBetween(1L, Scripts.RETENTION.toMillis());
        }
    }

    /** Rule: a client's record goes with the client. */
    @Test
    void close_nothingHeld_leavesNothingOfTheClient() {
        bench.client(server.uri()).close();
        assertThat((List<?>) server.command("KEYS", "*:client:*")).isEmpty();
    }

    /** Rule: close() gives locks back and leaves lines, so that others are served at once. */
    @Test
    void close_holdsAndWaits_passesOnAtOnce() {
        LockClient closing = bench.client(server.uri());
        LockClient holder = bench.client(server.uri());
        LockClient next = bench.client(server.uri());
        closing.lock("a").acquire();
        CompletableFuture<Lease> forA = next.lock("a").acquireAsync();
        Lease b = holder.lock("b").acquire();
        CompletableFuture<Lease> ended = closing.lock("b").acquireAsync();
        bench.awaitListening(server, "a", 1);
        bench.awaitListening(server, "b", 1);
        CompletableFuture<Lease> forB = next.lock("b").acquireAsync();
        bench.awaitListening(server, "b", 2);
        closing.close();
        Bench.get(forA, Bench.AT_ONCE).close();
        assertThatThrownBy(ended::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        bench.awaitListening(server, "b", 1);
        b.close();
        Bench.get(forB, Bench.AT_ONCE).close();
    }
}
