package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.LostReason;
import io.holdfast.spi.Claim;
import io.holdfast.spi.RenewResult;
import io.holdfast.testing.redis.RedisConsole;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do to a running server: delete, flush, kill, restrict, fill up, keep busy. */
@Tag("integration")
@ParameterizedClass
@EnumSource(RedisVersion.class)
@Timeout(30)
class OperatorFaultTest extends OnEachVersion {
    @AfterEach
    void makeRoom() {
        server.command("CONFIG", "SET", "maxmemory", "0");
    }

    /** Row 21. Rule: a renewal that finds nothing ends the lease at once; it does not wait for the deadline. */
    @Test
    void holder_flushAll_toldAtItsNextRenewal() {
        Lease lease = bench.client(server.uri()).lock("a", Bench.lease(6_000)).acquire();
        server.flushAll();
        assertThat(Bench.get(lease.lost(), Duration.ofSeconds(4))).isEqualTo(LostReason.FORGOTTEN);
        assertThat(lease.isValid()).isFalse();
        try (Lease next = bench.client(server.uri()).lock("a").acquire()) {
            assertThat(next.token())
                    .as("tokens grow with the server's clock, also over a loss")
                    .isGreaterThan(lease.token());
        }
    }

    /** Row 21. Rule: the loss of one record says nothing about the others of the same renewal. */
    @Test
    void holder_oneRecordDeleted_keepsTheOthers() {
        LockClient client = bench.client(server.uri());
        Lease kept = client.lock("kept", Bench.lease(4_500)).acquire();
        Lease deleted = client.lock("deleted", Bench.lease(4_500)).acquire();
        server.command("DEL", bench.key("deleted"));
        assertThat(Bench.get(deleted.lost())).isEqualTo(LostReason.FORGOTTEN);
        Bench.awaitRenewal(kept);
    }

    /** Row 21. Rule: a waiter whose place was deleted takes a new one when it asks again. */
    @Test
    void waiter_recordDeleted_servedByItsPoll() {
        LockClient client = bench.client(server.uri());
        client.lock("a").acquire();
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.command("DEL", bench.key("a"));
        Bench.get(waiter, Bench.POLL_BOUND).close();
    }

    /** Row 22. Rule: an unknown script was not run; it is loaded and called again. */
    @Test
    void scriptFlush_everyCall_goesOn() {
        LockClient client = bench.client(server.uri());
        LockClient other = bench.client(server.uri());
        Lease lease = client.lock("a").acquire();
        server.scriptFlush();
        lease.extend(Duration.ofSeconds(40));
        server.scriptFlush();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.scriptFlush();
        lease.close();
        Bench.get(waiter, Bench.AT_ONCE).close();
    }

    /** Row 22. Rule: a server that does not answer is an exception, not a busy lock; holders go on afterwards. */
    @Test
    void busyScript_tryAcquire_saysBusyAndHolderKeepsItsLease() {
        LockClient client = bench.client(bench.builder(server.uri()).requestTimeout(Duration.ofSeconds(1)));
        Lease lease = client.lock("a", Bench.lease(9_000)).acquire();
        server.command("CONFIG", "SET", "lua-time-limit", "50");
        try (RedisConsole console = server.console()) {
            console.send("EVAL", "while true do end", "0");
            Bench.soon("a busy server").until(() -> isBusy(server));
            assertThatThrownBy(() -> client.lock("b").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'b'")
                    .hasMessageContaining("another script keeps the server busy; wait, or SCRIPT KILL");
            server.command("SCRIPT", "KILL");
        }
        Bench.take(client, "b").close();
        assertThat(lease.isValid()).isTrue();
        lease.extend(Duration.ofSeconds(3));
    }

    private static boolean isBusy(RedisServer server) {
        try {
            server.command("GET", "k");
            return false;
        } catch (RuntimeException busy) {
            return String.valueOf(busy.getMessage()).startsWith("BUSY");
        }
    }

    /**
     * Row 23. Rule: when the subscription breaks, all waiters ask again at once; a place that was skipped meanwhile is
     * taken anew.
     */
    @Test
    void clientKillPubsub_thenRelease_waiterServedAtOnce() {
        LockClient holder = bench.client(server.uri());
        LockClient other = bench.client(server.uri());
        for (int i = 0; i < 3; i++) {
            Lease lease = holder.lock("a").acquire();
            CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
            bench.awaitListening(server, "a", 1);
            assertThat(server.clientKill("pubsub")).isPositive();
            lease.close();
            Bench.get(waiter, Bench.AT_ONCE).close();
        }
    }

    /** Row 23. Rule: a lost connection costs a new one, not a lease. */
    @Test
    void clientKillNormal_holderAndWaiter_goOn() {
        Lease lease = bench.client(server.uri()).lock("a", Bench.lease(6_000)).acquire();
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.clientKill("normal");
        Bench.awaitRenewal(lease);
        assertThat(waiter).isNotDone();
        lease.close();
        Bench.get(waiter, Bench.POLL_BOUND).close();
    }

    /** Row 24. Rule: release and renewal begin with a write that a full memory cannot refuse; so does a hand-over. */
    @Test
    void outOfMemory_holder_renewsAndHandsOver() {
        RawLocks raw = bench.raw(server.uri());
        Claim held = raw.claim("a", 5_000, false);
        raw.grant(held);
        CompletableFuture<Lease> waiter =
                bench.client(server.uri()).lock("a", Bench.lease(4_500)).acquireAsync();
        bench.awaitListening(server, "a", 1);
        LockClient client = bench.client(server.uri());
        server.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(raw.renew(held, 30_000)).isInstanceOf(RenewResult.Renewed.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.lock("b").tryAcquire())
                    .as("nothing is reported as busy")
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("'b'")
                    .hasMessageContaining("the server is out of memory; raise maxmemory");
        }
        assertThat(raw.release(held)).isTrue();
        Lease lease = Bench.get(waiter, Bench.POLL_BOUND);
        Bench.awaitRenewal(lease);
        lease.close();
        assertThat(bench.hold(server, "a")).matches("\\d+");
    }

    /** Row 27. Rule: a waiter that cannot listen asks often, and keeps its turn in the line. */
    @Test
    void aclChannelsTaken_waiters_areServedLater() {
        String user = user("~" + bench.prefix() + ":*", "&" + bench.prefix() + ":*");
        LockClient holder = bench.client(user);
        Lease lease = holder.lock("a").acquire();
        CompletableFuture<Lease> waiter = bench.client(user).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.command("ACL", "SETUSER", "u", "resetchannels");
        lease.close();
        Lease next = Bench.get(waiter, Bench.POLL_BOUND);
        CompletableFuture<Lease> last = holder.lock("a").acquireAsync();
        Bench.soon("a place of the deaf one").until(() -> places() == 1);
        CompletableFuture<Lease> hearing = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        next.close();
        Lease deaf = Bench.get(last, Bench.POLL_BOUND);
        assertThat(hearing).as("who came later, though it can be told").isNotDone();
        deaf.close();
        Bench.get(hearing, Bench.POLL_BOUND).close();
    }

    private long places() {
        return ((List<?>) server.command("HKEYS", bench.key("a")))
                .stream().filter(field -> field.toString().startsWith("q")).count();
    }

    /**
     * Row 27, for the releasing user only. Rule: a release is not reported as failed because its message may not be
     * sent.
     */
    @Test
    void aclChannelsTaken_release_succeedsWithoutItsMessage() {
        RawLocks holder = bench.raw(user("~" + bench.prefix() + ":*", "&" + bench.prefix() + ":*"));
        Claim held = holder.claim("a", 30_000, false);
        holder.grant(held);
        CompletableFuture<Lease> waiter = bench.client(server.uri()).lock("a").acquireAsync();
        bench.awaitListening(server, "a", 1);
        server.command("ACL", "SETUSER", "u", "resetchannels");
        assertThat(holder.release(held)).isTrue();
        Bench.get(waiter, Bench.POLL_BOUND).close();
    }

    /** Row 27. Rule: the exception names the ACL rule that is missing; nothing is reported as busy. */
    @Test
    void aclKeysTaken_holderAndNewcomer_hearWhy() {
        LockClient client = bench.client(user("~" + bench.prefix() + ":*", "&" + bench.prefix() + ":*"));
        Lease lease = client.lock("a", Bench.lease(4_000)).acquire();
        server.command("ACL", "SETUSER", "u", "resetkeys");
        assertThatThrownBy(() -> client.lock("b").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'b'")
                .hasMessageContaining("ACL SETUSER <user> ~" + bench.prefix() + ":*");
        assertThat(Bench.get(lease.lost())).isEqualTo(LostReason.STORE_UNREACHABLE);
        server.command("ACL", "SETUSER", "u", "~" + bench.prefix() + ":*");
        Bench.take(client, "b").close();
    }

    /** Creates a user with these rights and returns its URL. */
    private static String user(String keys, String channels) {
        server.command("ACL", "SETUSER", "u", "reset", "on", ">secret", "+@all", "resetchannels", keys, channels);
        return "redis://u:secret@" + server.host() + ":" + server.port();
    }
}
