package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockKind;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Places in a line whose client is alive and whose claim is not. */
@Tag("integration")
class RedisLineTest {
    private static final Resource LOCK = new Resource(LockKind.LOCK, "order:42", 1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    final Bench bench = new Bench();

    private RedisServer server;
    private LockBackend one;
    private LockBackend other;

    @BeforeEach
    void start() {
        server = bench.open(RedisServer.start(RedisVersion.V7_0));
        other = bench.open(backend("other"));
        one = bench.open(backend("one"));
    }

    /** Rule: a place is a lease too; here its client listens but does not ask. */
    @Test
    void release_firstInLineHasNotAskedForLong_servesTheNext() {
        Claim held = claim("one", 1);
        Claim silent = claim("one", 2);
        Claim asking = claim("other", 1);
        assertThat(one.attempt(held, SECOND)).isInstanceOf(AttemptResult.Granted.class);
        announced(one, silent);
        announced(other, asking);
        await().pollDelay(Scripts.PLACE_LEASE.plusMillis(200))
                .until(() -> other.attempt(asking, SECOND) instanceof AttemptResult.Queued);
        // That does not drop it: only the head of a moving line is checked.
        one.release(held);

        assertThat(one.inspect(LOCK).orElseThrow().holders())
                .extracting(ResourceView.Holder::claim)
                .containsExactly(asking.id());
    }

    private static void announced(LockBackend backend, Claim claim) {
        await().until(() ->
                backend.attempt(claim, SECOND) instanceof AttemptResult.Queued queued && queued.announced());
    }

    private static Claim claim(String client, long sequence) {
        return Claim.builder(new ClaimId(client, sequence), LOCK, Duration.ofSeconds(30))
                .waits(true)
                .label("label")
                .build();
    }

    private LockBackend backend(String client) {
        LockBackend backend = RedisLocks.builder(server.uri()).newBackend();
        backend.start(client, new BackendListener() {
            @Override
            public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

            @Override
            public void changed(Resource resource) {}

            @Override
            public void missed() {}
        });
        return backend;
    }
}
