package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.ServerInfo;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When a grant by message is believed. */
@Tag("integration")
class MessageRuleTest {
    private static final ClaimId CLAIM = new ClaimId("me", 7);

    @RegisterExtension
    final Bench bench = new Bench();

    private final List<Long> begins = new CopyOnWriteArrayList<>();
    private final List<ClaimId> asked = new CopyOnWriteArrayList<>();
    private final List<ClaimId> revoked = new CopyOnWriteArrayList<>();
    private RedisServer server;
    private LockBackend backend;
    private String node;
    private String secret;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        node = new ServerInfo(server.command("INFO").toString()).incarnation();
        backend = bench.open(RedisLocks.builder(server.uri()).newBackend());
        backend.start("me", new BackendListener() {
            @Override
            public void granted(ClaimId claim, long token, Duration left, long startNanos) {
                assertThat(claim).isEqualTo(CLAIM);
                begins.add(startNanos);
            }

            @Override
            public void served(ClaimId claim) {
                asked.add(claim);
            }

            @Override
            public void revoked(ClaimId claim) {
                revoked.add(claim);
            }

            @Override
            public void changed(Resource resource) {}

            @Override
            public void missed() {}
        });
        await().until(() -> server.command("PUBSUB", "NUMSUB", "holdfast:client:me")
                .toString()
                .contains("1"));
        secret = secret();
    }

    /** The secret in the claim's place. */
    private String secret() {
        Resource resource = new Resource(LockKind.LOCK, "y", 1);
        Duration lease = Duration.ofSeconds(30);
        backend.attempt(
                Claim.builder(new ClaimId("me", 6), resource, lease).label("").build(), lease);
        Claim waiting =
                Claim.builder(CLAIM, resource, lease).waits(true).label("label").build();
        await().until(() ->
                backend.attempt(waiting, lease) instanceof AttemptResult.Queued queued && queued.announced());
        backend.attempt(waiting, lease);
        String place = String.valueOf(server.command("HGET", "holdfast:lock:{y}", "q1"));
        return place.substring(place.lastIndexOf(' ') + 1);
    }

    @Test
    void message_ofThisServerAndNow_isBelievedFromItsGrant() {
        ask();
        long before = System.nanoTime();
        publish(0, node);

        await().until(() -> begins.size() == 1);
        assertThat(begins.get(0) - before)
                .isBetween(
                        -Duration.ofMillis(500).toNanos(),
                        Duration.ofMillis(500).toNanos());
        assertThat(begins.get(0) - System.nanoTime()).isNegative();
    }

    @Test
    void message_ofTheFuture_isAskedFor() {
        ask();
        publish(5_000_000, node);

        await().until(() -> asked.contains(CLAIM));
        assertThat(begins).isEmpty();
    }

    @Test
    void message_ofAnotherServer_isAskedFor() {
        ask();
        publish(0, "another-server");

        await().until(() -> asked.contains(CLAIM));
        assertThat(begins).isEmpty();
    }

    @Test
    void message_tokenFarAheadOfTheClock_isAskedFor() {
        ask();
        publish(0, node, 61_000_000);

        await().until(() -> asked.contains(CLAIM));
        assertThat(begins).isEmpty();
    }

    /** Rule: a grant by message is short; a client that is told of a longer one asks the server. */
    @Test
    void message_leaseLongerThanAGrantMayHave_isAskedFor() {
        ask();
        publish(0, node, 0, Scripts.GRANT_LEASE.toMillis() + 1);

        await().until(() -> asked.contains(CLAIM));
        assertThat(begins).isEmpty();
    }

    @Test
    void message_serverNotHeardOfForLong_isAskedFor() {
        ask();
        await().pollDelay(Duration.ofMillis(3_500)).until(() -> true);
        publish(0, node);

        await().until(() -> asked.contains(CLAIM));
        assertThat(begins).isEmpty();
    }

    @Test
    void message_garbage_isIgnored() {
        for (String garbage : List.of("", "x", "a b c d e", "me:7:x 1 2", "me:x:y revoked")) {
            server.command("PUBLISH", "holdfast:client:me", garbage);
        }
        server.command("PUBLISH", "holdfast:client:me", "me:7:label revoked");

        await().until(() -> revoked.equals(List.of(CLAIM)));
        assertThat(begins).isEmpty();
    }

    private void ask() {
        Claim claim = Claim.builder(new ClaimId("me", 1), new Resource(LockKind.LOCK, "x", 1), Duration.ofSeconds(5))
                .label("")
                .build();
        backend.attempt(claim, Duration.ofSeconds(1));
        backend.release(claim);
    }

    private void publish(long offsetMicros, String from) {
        publish(offsetMicros, from, 0);
    }

    private void publish(long offsetMicros, String from, long tokenOffset) {
        publish(offsetMicros, from, tokenOffset, Scripts.GRANT_LEASE.toMillis());
    }

    private void publish(long offsetMicros, String from, long tokenOffset, long leaseMillis) {
        List<?> time = (List<?>) server.command("TIME");
        long now = Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
        long token = now + tokenOffset;
        server.command(
                "PUBLISH",
                "holdfast:client:me",
                "me:7:label " + token + " " + (now + offsetMicros) + " " + leaseMillis + " " + from + " " + secret);
    }
}
