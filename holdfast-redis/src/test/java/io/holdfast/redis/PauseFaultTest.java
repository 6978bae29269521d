package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Processes that are paused or killed: the server, a holder, a waiter. */
@Tag("integration")
@Timeout(40)
class PauseFaultTest {
    @AutoClose
    private static RedisServer server;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    @AfterEach
    void resume() {
        server.resume();
    }

    /** Row 4, shorter than the lease. Rule: a late renewal has not failed; the record is still there. */
    @Test
    void serverPaused_shorterThanTheLease_holderKeepsIt() {
        RedisLocksBuilder patient = bench.builder(server.uri()).requestTimeout(Duration.ofSeconds(8));
        Lease lease = bench.client(patient).lock("a", Bench.lease(6_000)).acquire();
        CompletableFuture<Lease> waiter = bench.client(patient).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.pause();
        Bench.always("held, also when a renewal is due", Duration.ofMillis(2_100), lease::isValid);
        server.resume();
        Bench.always("held by one", Duration.ofMillis(4_100), () -> lease.isValid() && !waiter.isDone());
        lease.close();
        Bench.get(waiter, Bench.POLL_BOUND).close();
    }

    /**
     * Row 4, longer than the lease. Rule: the holder's own clock ends the lease, and late answers do not bring it back.
     */
    @Test
    void serverPaused_longerThanTheLease_holderIsToldAndStaysOut() {
        LockClient client = bench.client(bench.builder(server.uri()).requestTimeout(Duration.ofSeconds(1)));
        Lease lease = client.lock("a", Bench.lease(3_000)).acquire();
        LockClient other = bench.client(server.uri());
        server.pause();
        assertThatThrownBy(() -> client.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
        assertThat(Bench.get(lease.lost(), Duration.ofMillis(3_500))).isEqualTo(LostReason.STORE_UNREACHABLE);
        server.resume();
        Lease next = Bench.get(other.lock("a").acquireAsync(), Duration.ofMillis(2_500));
        assertThat(next.token()).isGreaterThan(lease.token());
        Bench.always("the next one holds", Duration.ofMillis(500), () -> next.isValid() && !lease.isValid());
        next.close();
    }

    /**
     * Row 5. Rule: a lease by message counts from the server's grant, not from its arrival: a message from before a
     * pause is not believed.
     */
    @Test
    void waiterPaused_grantedMeanwhileAndOver_doesNotBelieveTheMessage() {
        ChildClient child = bench.open(new ChildClient(server.uri(), bench.prefix()));
        Lease first = bench.client(server.uri()).lock("a").acquire();
        child.tell("acquire a 800");
        bench.awaitListening(server, "a", 1);
        child.pause();
        first.close();
        Bench.soon("a grant to the one who sleeps")
                .until(() -> bench.hold(server, "a").contains(" "));
        Lease rival = Bench.get(bench.client(server.uri()).lock("a").acquireAsync(), Duration.ofMillis(2_800));
        child.resume();
        Bench.always("only the rival holds", Duration.ofMillis(700), () -> rival.isValid() && !child.says("held"));
        rival.close();
        long token = Long.parseLong(child.await("held").split(" ", -1)[2]);
        assertThat(token).isGreaterThan(rival.token());
    }

    /**
     * Row 5, while holding. Rule: validity is computed from the clocks at each question, so the first one after the
     * pause says no.
     */
    @Test
    void holderPaused_pastItsLease_knowsAtItsFirstLook() {
        ChildClient child = bench.open(new ChildClient(server.uri(), bench.prefix()));
        child.tell("acquire a 700");
        child.await("held");
        child.pause();
        Lease rival = Bench.get(bench.client(server.uri()).lock("a").acquireAsync(), Duration.ofMillis(2_500));
        child.tell("valid a");
        child.resume();
        assertThat(child.await("valid")).isEqualTo("valid a false");
        child.await("lost");
        assertThat(rival.isValid()).isTrue();
        rival.close();
    }

    /** Row 6, while holding. Rule: a lease ends by itself, and the first in the line asks right then. */
    @Test
    void holderKilled_waiter_getsItAfterTheLease() {
        ChildClient child = bench.open(new ChildClient(server.uri(), bench.prefix()));
        child.tell("acquire a 1000");
        child.await("held");
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        child.kill();
        Bench.get(waiter, Duration.ofMillis(2_500)).close();
    }

    /**
     * Row 6, while waiting. Rule: the server checks who listens before a grant; nobody waits for the grant of a dead
     * waiter to end.
     */
    @Test
    void waiterKilled_nextWaiter_isServedByTheRelease() {
        ChildClient child = bench.open(new ChildClient(server.uri(), bench.prefix()));
        Lease lease = bench.client(server.uri()).lock("a").acquire();
        child.tell("acquire a 30000");
        bench.awaitListening(server, "a", 1);
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 2);
        long before = subscriptions();
        child.kill();
        Bench.soon("one subscriber less").until(() -> subscriptions() == before - 1);
        lease.close();
        Bench.get(waiter, Bench.AT_ONCE).close();
    }

    private long subscriptions() {
        return ((java.util.List<?>) server.command("PUBSUB", "CHANNELS", bench.prefix() + ":*")).size();
    }
}
